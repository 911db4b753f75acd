package dev.policysync.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class GnuTimeTest {
  @Test
  void addsTimeInUserAndInSystemMode() {
    var figures =
        GnuTime.figures(Duration.ofMillis(580), "0.51 0.08 93184\n", Duration.ofMillis(70));

    assertThat(figures)
        .isEqualTo(
            new Figures(
                Duration.ofMillis(580), Duration.ofMillis(590), 93_184, Duration.ofMillis(70)));
  }

  @Test
  void saysSoWhenAnotherProgramOfThatNameAnswers() {
    assertThatIllegalStateException()
        .isThrownBy(() -> GnuTime.figures(Duration.ZERO, "real 0m0.5s", Duration.ZERO))
        .withMessage("/usr/bin/time is no GNU time: it wrote real 0m0.5s");
  }

  @Test
  void asksForTheFiguresInAFileOfTheirOwn() {
    assertThat(GnuTime.timed(Path.of("/bench/figures"), List.of("kubectl", "version")))
        .containsExactly(
            "/usr/bin/time",
            "--quiet",
            "--format=%U %S %M",
            "--output=/bench/figures",
            "kubectl",
            "version");
  }
}
