package dev.policysync.plan;

import static dev.policysync.plan.PlanFixtures.SOURCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.policy.Digest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FeedHistoryTest {
  private static final Instant NOW = Instant.parse("2026-11-20T09:30:00Z");
  private static final Digest FIRST = feed(1);
  private static final Digest SECOND = feed(2);

  private final FeedHistory history =
      FeedHistory.NONE.beforeApplying(SOURCE, FIRST, NOW).beforeApplying(SOURCE, SECOND, NOW);

  @Test
  void takesNoFeedForOlderWhereItKnowsNone() {
    assertThat(FeedHistory.NONE.olderUnlessIntended(SOURCE, FIRST, NOW)).isEmpty();
  }

  @Test
  void takesAFeedForOlderThatWasWrittenBeforeTheNewest() {
    assertThat(history.olderUnlessIntended(SOURCE, FIRST, NOW))
        .contains(new FeedHistory.Older(FIRST, NOW));
    assertThat(history.olderUnlessIntended(SOURCE, SECOND, NOW)).isEmpty();
    assertThat(history.olderUnlessIntended(SOURCE, feed(3), NOW)).isEmpty();
  }

  @Test
  void takesAFeedForOlderThatWasReadBeforeTheNewestWasWritten() {
    var before = FeedHistory.NONE.beforeApplying(SOURCE, FIRST, NOW);

    var known = history.readWhen(feed(3), before, NOW);

    assertThat(known.olderUnlessIntended(SOURCE, feed(3), NOW))
        .contains(new FeedHistory.Older(feed(3), NOW));
    assertThat(known.olderUnlessIntended(SOURCE, SECOND, NOW)).as("the newest itself").isEmpty();
    assertThat(history.readWhen(feed(3), history, NOW)).isEqualTo(history);
  }

  @Test
  void doesNotBeginToWaitAnewWhereTheFeedIsKnownAsOlder() {
    var noted = held(history, FIRST, NOW);

    assertThat(noted.readWhen(FIRST, FeedHistory.NONE, NOW.plusSeconds(300))).isEqualTo(noted);
  }

  @Test
  void takesAnOlderFeedAsMeantAfterTenMinutesOfTheNote() {
    var noted = held(history, FIRST, NOW);

    assertThat(noted.olderUnlessIntended(SOURCE, FIRST, NOW.plusSeconds(599)))
        .contains(new FeedHistory.Older(FIRST, NOW));
    assertThat(noted.olderUnlessIntended(SOURCE, FIRST, NOW.plusSeconds(600))).isEmpty();
  }

  @Test
  void takesNoOlderFeedAsMeantThatNobodyNoted() {
    var aYearLater = NOW.plus(Duration.ofDays(365));

    assertThat(history.olderUnlessIntended(SOURCE, FIRST, aYearLater))
        .contains(new FeedHistory.Older(FIRST, aYearLater));
  }

  @Test
  void beginsToWaitAnewForAnotherOlderFeed() {
    var three = history.beforeApplying(SOURCE, feed(3), NOW);
    var noted = held(three, FIRST, NOW);
    var later = NOW.plus(Duration.ofHours(1));

    assertThat(noted.olderUnlessIntended(SOURCE, SECOND, later))
        .contains(new FeedHistory.Older(SECOND, later));
  }

  @Test
  void doesNotWaitForAClockThatWasAhead() {
    var noted = held(history, FIRST, NOW.plus(Duration.ofDays(1)));

    assertThat(noted.olderUnlessIntended(SOURCE, FIRST, NOW))
        .contains(new FeedHistory.Older(FIRST, NOW));
  }

  @Test
  void dropsTheNoteWhenTheFeedIsTheNewestAgain() {
    var noted = held(history, FIRST, NOW);

    assertThat(noted.afterComparing(SOURCE, SECOND, Optional.empty())).isEqualTo(history);
    assertThat(noted.afterComparing(SOURCE, feed(3), Optional.empty())).isEqualTo(history);
    assertThat(noted.afterComparing(SOURCE, FIRST, Optional.empty()))
        .as("asks for nothing now")
        .isEqualTo(noted);
  }

  @Test
  void takesWhatIsWrittenForTheNewest() {
    var rolledBack = held(history, FIRST, NOW).beforeApplying(SOURCE, FIRST, NOW.plusSeconds(600));

    assertThat(rolledBack)
        .isEqualTo(
            new FeedHistory(
                SOURCE,
                List.of(
                    new FeedHistory.Written(SECOND, NOW),
                    new FeedHistory.Written(FIRST, NOW.plusSeconds(600))),
                Optional.empty()));
  }

  @Test
  void knowsNothingOfAnotherSourcesFeeds() {
    var other = SourceName.of("acme", "prod-2");

    assertThat(history.olderUnlessIntended(other, FIRST, NOW)).isEmpty();
    assertThat(history.beforeApplying(other, FIRST, NOW).olderUnlessIntended(SOURCE, FIRST, NOW))
        .isEmpty();
  }

  @Test
  void remembersTheLastEight() {
    var many = FeedHistory.NONE;
    for (byte i = 0; i < 20; i++) {
      many = many.beforeApplying(SOURCE, feed(i), NOW);
    }

    assertThat(many.written())
        .extracting(FeedHistory.Written::feed)
        .containsExactly(
            feed(12), feed(13), feed(14), feed(15), feed(16), feed(17), feed(18), feed(19));
  }

  private static FeedHistory held(FeedHistory history, Digest feed, Instant now) {
    return history.afterComparing(SOURCE, feed, history.olderUnlessIntended(SOURCE, feed, now));
  }

  private static Digest feed(int number) {
    return Digest.of(new byte[] {(byte) number});
  }
}
