package dev.policysync.cli;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.cli.settings.Setting;
import dev.policysync.cli.settings.Setting.Level;
import java.nio.file.Path;
import java.util.HashSet;
import org.junit.jupiter.api.Test;

/// `docs/settings.md` has every setting, as the program reads it.
class SettingsPageGoldenTest {
  private static final Path PAGE = Path.of("docs", "settings.md");

  @Test
  void listsTheUsualSettings() {
    Golden.assertBlockEqual(PAGE, "usual", table(Level.USUAL));
  }

  @Test
  void listsTheAdvancedSettings() {
    Golden.assertBlockEqual(PAGE, "advanced", table(Level.ADVANCED));
  }

  @Test
  void eachSettingIsUsedByACommandThatAcceptsIt() {
    var used = new HashSet<Setting>();
    for (var command : Command.all()) {
      assertThat(command.settings()).containsAll(command.usedSettings());
      used.addAll(command.usedSettings());
    }

    assertThat(used).containsExactlyInAnyOrderElementsOf(Setting.all());
  }

  private static String table(Level level) {
    return Setting.all().stream()
        .filter(setting -> setting.level() == level)
        .map(SettingsPageGoldenTest::row)
        .collect(
            joining(
                "",
                "| variable | flag | default | meaning | used by |\n|---|---|---|---|---|\n",
                ""));
  }

  private static String row(Setting setting) {
    var flag =
        setting
            .flag()
            .map(name -> name + setting.argument().map(argument -> " " + argument).orElse(""))
            .orElse("");
    var commands =
        Command.all().stream()
            .filter(command -> command.usedSettings().contains(setting))
            .map(Command::text)
            .collect(joining(", "));
    return "| %s | %s | %s | %s | %s |\n"
        .formatted(
            code(setting.env().orElse("")),
            code(flag.replace("|", "\\|")),
            code(setting.fallback()),
            setting.meaning(),
            commands);
  }

  private static String code(String text) {
    return text.isEmpty() ? "" : "`" + text + "`";
  }
}
