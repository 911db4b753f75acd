package dev.policysync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.cli.ExitCode;
import dev.policysync.cli.settings.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// What the README says of settings and exit codes is what the code does.
class ReadmeTest {
  private static final Path README = Path.of("README.md");

  @Test
  void hasARowForEverySettingAndNoOther() throws IOException {
    var rows =
        Files.readAllLines(README).stream()
            .dropWhile(line -> !line.startsWith("| variable |"))
            .skip(2)
            .takeWhile(line -> line.startsWith("|"))
            .toList();

    assertThat(rows)
        .containsExactlyElementsOf(Setting.all().stream().map(ReadmeTest::row).toList());
  }

  @Test
  void namesEveryExitCode() throws IOException {
    var readme = Files.readString(README);

    for (var code : ExitCode.values()) {
      assertThat(readme).containsPattern("\n\\| " + code.code() + "[ ,]");
    }
  }

  private static String row(Setting setting) {
    var flag =
        setting
            .flag()
            .map(name -> name + setting.argument().map(argument -> " " + argument).orElse(""))
            .orElse("");
    return "| %s | %s | %s | %s |"
        .formatted(
            code(setting.env().orElse("")),
            code(flag.replace("|", "\\|")),
            code(setting.fallback()),
            setting.meaning());
  }

  private static String code(String text) {
    return text.isEmpty() ? "" : "`" + text + "`";
  }
}
