package dev.policysync.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.plan.SourceName;
import dev.policysync.sync.execution.Ticker;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StartJitterTest {
  private static final Duration SPAN = Duration.ofSeconds(15);

  @Test
  void isTheSameForEachRunOfOneSource() {
    assertThat(StartJitter.delay(SourceName.of("acme", "prod-1"), SPAN))
        .isEqualTo(StartJitter.delay(SourceName.of("acme", "prod-1"), SPAN));
  }

  @Test
  void spreadsAFleetOverTheWholeSpan() {
    var seconds =
        IntStream.range(0, 1_000)
            .mapToObj(number -> StartJitter.delay(SourceName.of("acme", "prod-" + number), SPAN))
            .mapToLong(Duration::toSeconds)
            .toArray();

    for (long second = 0; second < 15; second++) {
      var wanted = second;
      assertThat(IntStream.range(0, 1_000).filter(i -> seconds[i] == wanted).count())
          .isBetween(30L, 110L);
    }
  }

  @Test
  void isNothingWhereThereIsNoSpan() {
    assertThat(StartJitter.delay(SourceName.LOCAL, Duration.ZERO)).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "kyverno-policy-sync-29385035-x7k2p, true",
    "kyverno-policy-sync-29384200-x7k2p, true",
    "kyverno-29385035-x7k2p, true",
    "kyverno-policy-sync-by-hand-1763102100-x7k2p, false",
    "now-12345678-x7k2p, false",
    "policy-sync, false"
  })
  void makesOnlyAScheduledJobWait(String pod, boolean waits) {
    assertThat(waited(Optional.of(pod))).isEqualTo(waits);
  }

  @Test
  void makesAProcessWaitThatIsNoPod() {
    assertThat(waited(Optional.empty())).isTrue();
  }

  private static boolean waited(Optional<String> pod) {
    var waits = new ArrayList<Duration>();
    var ticker =
        new Ticker() {
          @Override
          public long nanoTime() {
            return 0;
          }

          @Override
          public boolean pause(Duration time) {
            return waits.add(time);
          }
        };
    var now = Instant.ofEpochSecond(29_385_035L * 60 + 7);
    StartJitter.await(
        SourceName.of("acme", "prod-1"), SPAN, pod, Clock.fixed(now, ZoneOffset.UTC), ticker);
    return !waits.isEmpty();
  }
}
