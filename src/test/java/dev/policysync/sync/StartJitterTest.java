package dev.policysync.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.plan.ownership.SourceName;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

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
}
