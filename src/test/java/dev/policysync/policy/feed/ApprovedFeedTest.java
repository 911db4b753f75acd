package dev.policysync.policy.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.policysync.base.Value;
import dev.policysync.policy.Digest;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// An approval of one feed is for no other, and not for ever.
class ApprovedFeedTest {
  private static final Digest FEED = Digest.of(new Value.Text("feed"));
  private static final Digest OTHER = Digest.of(new Value.Text("other"));
  private static final Instant END = Instant.parse("2026-12-01T00:00:00Z");

  @Test
  void isForThatFeedUntilItsTime() {
    var approved = ApprovedFeed.parse(FEED + "@2026-12-01T00:00Z");

    assertThat(approved.covers(FEED, false, END.minusNanos(1))).isTrue();
    assertThat(approved.covers(FEED, false, END)).isFalse();
    assertThat(approved.covers(OTHER, false, Instant.EPOCH)).isFalse();
    assertThat(approved).hasToString(FEED + "@2026-12-01T00:00:00Z");
  }

  @Test
  void isForAnEmptyFeedOnlyWhereItSaysSo() {
    var empty = ApprovedFeed.parse("empty@2026-12-01T01:00:00+01:00");

    assertThat(ApprovedFeed.parse(FEED + "@2026-12-01T00:00Z").covers(FEED, true, Instant.EPOCH))
        .isFalse();
    assertThat(empty.covers(FEED, true, Instant.EPOCH)).isTrue();
    assertThat(empty.covers(FEED, false, Instant.EPOCH)).isFalse();
    assertThat(empty.until()).isEqualTo(END);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "empty",
        "empty@",
        "empty@tomorrow",
        "empty@2026-12-01",
        "sha256:12@2026-12-01T00:00Z",
        "@2026-12-01T00:00Z"
      })
  void isRefusedWhereItIsForAnythingElseOrHasNoEnd(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> ApprovedFeed.parse(text));
  }
}
