package dev.policysync;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// The README introduces, and leaves the reference to the pages in `docs`.
class ReadmeTest {
  private static final Path README = Path.of("README.md");
  private static final int LONGEST = 110;
  private static final int FIRST_SCREEN = 25;

  @Test
  void hasAboutAHundredLines() throws IOException {
    assertThat(Files.readAllLines(README)).hasSizeLessThanOrEqualTo(LONGEST);
  }

  @Test
  void saysOnTheFirstScreenHowToTryAndTestIt() throws IOException {
    assertThat(Files.readAllLines(README).subList(0, FIRST_SCREEN))
        .anyMatch(line -> line.startsWith("make demo "))
        .anyMatch(line -> line.startsWith("make test "));
  }
}
