package dev.policysync.sync.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.plan.ownership.SourceName;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HourlyTurnTest {
  private static final Instant DAY = Instant.parse("2026-03-01T00:00:00Z");

  @Test
  void isFiveMinutesOfEachHourAndInTwelveHoursAnyFive() {
    var slots = new TreeSet<Integer>();
    for (int hour = 0; hour < 12; hour++) {
      var minutes = minutes(SourceName.of("acme", "prod-1"), hour);

      var first = minutes.getFirst();
      assertThat(first % 5).isZero();
      assertThat(minutes).containsExactly(first, first + 1, first + 2, first + 3, first + 4);
      slots.add(first);
    }

    assertThat(slots).hasSize(12);
  }

  @Test
  void isNotTheSameForAllClusters() {
    var slots = new TreeSet<Integer>();
    IntStream.range(0, 100)
        .mapToObj(cluster -> SourceName.of("acme", "cluster-" + cluster))
        .forEach(source -> slots.add(minutes(source, 0).getFirst()));

    assertThat(slots).hasSize(12);
  }

  private static List<Integer> minutes(SourceName source, int hour) {
    var begin = DAY.plus(Duration.ofHours(hour));
    return IntStream.range(0, 60)
        .filter(minute ->
            new HourlyTurn(
                    source, Clock.fixed(begin.plusSeconds(60L * minute + 59), ZoneOffset.UTC))
                .isNow())
        .boxed()
        .toList();
  }
}
