package dev.policysync.policy.feed;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.policysync.policy.Manifest;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/// A feed that was cut off or damaged is reported, never the cause of anything else.
class YamlDamageTest {
  private static final byte[] FEED =
      """
      # two policies
      apiVersion: kyverno.io/v1
      kind: ClusterPolicy
      metadata:
        name: first
        annotations: {title: 'First', "note": "two\\nlines \\u00e9"}
      spec:
        rules: &rules
        - name: key
          message: |-
            -----BEGIN PUBLIC KEY-----
            abc
        - {match: [1, 2.5, ~, yes], text: plain text
            that goes on}
      ---
      apiVersion: kyverno.io/v1
      kind: ClusterPolicy
      metadata: {name: &name second}
      spec:
        <<: {background: true}
        rules: [*name, &name x, *name]
        ? complex
        : !!str 12
      """
          .getBytes(UTF_8);

  @Test
  void everyTruncationIsReadOrReported() {
    for (int length = 0; length < FEED.length; length++) {
      var feed = Arrays.copyOf(FEED, length);
      assertThatCode(reading(feed)).as("the first %d bytes", length).doesNotThrowAnyException();
    }
  }

  @Test
  void everyMutationIsReadOrReported() {
    var random = new Random(20_262);

    for (int i = 0; i < 2_000; i++) {
      var feed = FEED.clone();
      for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
        mutate(feed, random);
      }
      assertThatCode(reading(feed)).as("mutation %d", i).doesNotThrowAnyException();
    }
  }

  @Test
  void sameFeedUndamagedHasBothPolicies() {
    var expectedPolicies = PolicyReader.read(List.of(new Manifest("feed", FEED)));

    assertThat(expectedPolicies.policies())
        .extracting(policy -> policy.id().name())
        .containsExactly("first", "second");
    assertThat(expectedPolicies.complete()).isTrue();
  }

  private static void mutate(byte[] feed, Random random) {
    var at = random.nextInt(feed.length);
    switch (random.nextInt(4)) {
      case 0 -> feed[at] = (byte) random.nextInt(256);
      case 1 -> feed[at] = (byte) "\n\t\r :-#'\"[]{}&*!|>%@\\?,~".charAt(random.nextInt(24));
      case 2 -> feed[at] = feed[random.nextInt(feed.length)];
      default -> {
        var from = random.nextInt(feed.length);
        var length = Math.min(random.nextInt(40), feed.length - Math.max(at, from));
        System.arraycopy(FEED, from, feed, at, length);
      }
    }
  }

  private static ThrowingCallable reading(byte[] feed) {
    return () -> {
      try {
        PolicyReader.read(List.of(new Manifest("feed", feed)));
      } catch (FeedProblem e) {
        assertThat(e).hasMessageContaining("feed");
      }
    };
  }
}
