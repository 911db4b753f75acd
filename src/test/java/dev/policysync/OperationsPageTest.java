package dev.policysync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.sync.execution.StopReason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Whoever is called at night searches the page for the words of a message: they are there.
class OperationsPageTest {
  private static final Path PAGE = Path.of("docs/operations.md");
  private static final Path SOURCES = Path.of("src/main/java");

  private static final Pattern WORRYING =
      Pattern.compile("at(?:Warn|Error)\\(\\)[^;]*?\\.log\\(\\s*\"([^\"]+)\"\\s*\\)");

  @Test
  void hasEveryWarningAndErrorOfTheLog() throws IOException {
    var page = Files.readString(PAGE);
    var messages = messages();

    assertThat(messages).hasSizeGreaterThan(10);
    assertThat(messages).allSatisfy(message -> assertThat(page).contains(message));
  }

  @Test
  void hasEveryReasonNotToTryAPolicy() throws IOException {
    var page = Files.readString(PAGE);

    assertThat(StopReason.values()).allSatisfy(why -> assertThat(page).contains(why.toString()));
  }

  private static List<String> messages() throws IOException {
    try (Stream<Path> files = Files.walk(SOURCES)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .flatMap(file -> WORRYING.matcher(text(file)).results().map(found -> found.group(1)))
          .distinct()
          .toList();
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
