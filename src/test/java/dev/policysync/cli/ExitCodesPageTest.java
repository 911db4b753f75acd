package dev.policysync.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ExitCodesPageTest {
  private static final Path PAGE = Path.of("docs", "exit-codes.md");

  @Test
  void hasEveryExitCode() throws IOException {
    var page = Files.readString(PAGE);

    for (var code : ExitCode.values()) {
      assertThat(page).containsPattern("\n\\| " + code.code() + "[ ,]");
    }
  }
}
