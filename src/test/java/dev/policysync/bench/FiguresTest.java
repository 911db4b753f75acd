package dev.policysync.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class FiguresTest {
  @Test
  void theMedianTakesEachFigureByItself() {
    var median =
        Figures.median(List.of(figures(500, 90, 3), figures(100, 80, 1), figures(300, 70, 2)));

    assertThat(median).isEqualTo(figures(300, 80, 2));
  }

  @Test
  void theMedianOfAnEvenNumberIsTheWorseOfTheMiddleTwo() {
    var median = Figures.median(List.of(figures(100, 1, 1), figures(200, 2, 2)));

    assertThat(median).isEqualTo(figures(200, 2, 2));
  }

  private static Figures figures(long wall, long cpu, long peakRss) {
    return new Figures(
        Duration.ofMillis(wall), Duration.ofMillis(cpu), peakRss, Duration.ofMillis(2 * cpu));
  }
}
