package dev.policysync.cli;

import dev.policysync.cli.settings.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The output of `policy-sync help` and `policy-sync help COMMAND`: usage, commands and examples,
/// then the flags in groups, as in kubectl and flux.
final class HelpText {
  private static final int WIDTH = 100;

  /// The column where the description of a flag begins; a longer flag has a line of its own.
  private static final int COLUMN = 29;

  private final StringBuilder text = new StringBuilder();

  private HelpText() {}

  static String ofProgram() {
    return new HelpText().program();
  }

  static String of(Command command) {
    return new HelpText().command(command);
  }

  static String ofCompletion() {
    return new HelpText().completion();
  }

  private String completion() {
    line("Print a completion script for a shell.");
    section(
        "Usage", List.of("policy-sync completion " + String.join("|", CompletionScript.SHELLS)));
    examples(CommandHelp.COMPLETION);
    return text.toString();
  }

  private String program() {
    var help = CommandHelp.of(Optional.empty());
    help.details().forEach(this::line);
    section("Usage", List.of("policy-sync [COMMAND] [flags]"));
    heading("Commands");
    Command.all().forEach(command -> entry(command.text(), command.meaning()));
    entry(CompletionScript.WORD, "print a completion script for bash or zsh");
    entry("version", "print the version; -o json adds Java and platform");
    entry("help", "show help for the program or a command");
    examples(help);
    flags(Command.SYNC, true);
    section(
        "Exit codes",
        List.of(
            "  0  in sync, or skipped because another run is active",
            "  1  something failed; see the errors in the summary",
            "  2  invalid settings or arguments",
            "  3  a guard withheld changes; everything else was done",
            "  4  changes are pending (with --exit-code)",
            "143  stopped by SIGTERM (130 by SIGINT), after a clean stop"));
    section("Documentation", List.of("  " + Documentation.url("docs/README.md")));
    line("");
    line(
        "The flags above are those of sync. Flags take precedence over environment variables, these over");
    line("defaults. Run 'policy-sync help COMMAND' for more information about a command.");
    return text.toString();
  }

  private String command(Command command) {
    var help = CommandHelp.of(Optional.of(command));
    line(capitalised(command.meaning()) + ".");
    line("");
    help.details().forEach(this::line);
    section("Usage", List.of("policy-sync " + command.text() + command.operand() + " [flags]"));
    examples(help);
    flags(command, false);
    return text.toString();
  }

  private void examples(CommandHelp help) {
    heading("Examples");
    var separator = "";
    for (var example : help.examples()) {
      text.append(separator);
      line("  # " + example.comment());
      line("  " + example.line());
      separator = "\n";
    }
  }

  private void flags(Command command, boolean ofProgram) {
    for (var group : Setting.Group.values()) {
      var settings =
          command.usedSettings().stream()
              .filter(setting -> setting.group() == group && setting.flag().isPresent())
              .filter(setting -> setting.level() == Setting.Level.USUAL)
              .toList();
      if (group != Setting.Group.RUN && settings.isEmpty()) {
        continue;
      }
      heading(capitalised(group.name().toLowerCase(Locale.ROOT)) + " flags");
      settings.forEach(setting ->
          flag(
              setting.shortFlag().map(name -> name + ", ").orElse("") + setting.flag().orElse(""),
              setting.argument().orElse(""),
              description(setting)));
      if (group == Setting.Group.RUN) {
        command
            .options()
            .forEach(option -> flag(option.flag(), option.argument(), option.meaning()));
        flag("-o, --output", "FORMAT", formats(command));
        flag("-h, --help", "", "show this help");
        if (ofProgram) {
          flag("--version", "", "print the version");
        }
      }
    }
    advanced(command);
  }

  /// Names the advanced settings. Their page describes them.
  private void advanced(Command command) {
    var names =
        command.usedSettings().stream()
            .filter(setting -> setting.level() == Setting.Level.ADVANCED)
            .map(HelpText::name)
            .toList();
    if (!names.isEmpty()) {
      line("");
      wrapped("Advanced: " + String.join(", ", names) + " (see docs/settings.md)", 0)
          .forEach(this::line);
    }
  }

  private static String name(Setting setting) {
    return setting.env().or(setting::flag).orElseThrow();
  }

  private void flag(String names, String argument, String description) {
    var name =
        (names.startsWith("--") ? "      " : "  ")
            + names
            + (argument.isEmpty() ? "" : "=" + argument);
    var lines = wrapped(description, COLUMN);
    if (name.length() > COLUMN - 2) {
      line(name);
    } else {
      line(name + " ".repeat(COLUMN - name.length()) + lines.removeFirst());
    }
    lines.forEach(line -> line(" ".repeat(COLUMN) + line));
  }

  private static List<String> wrapped(String description, int column) {
    var lines = new ArrayList<String>();
    var line = new StringBuilder();
    for (var word : description.split(" ", -1)) {
      if (!line.isEmpty() && column + line.length() + 1 + word.length() > WIDTH) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    lines.add(line.toString());
    return lines;
  }

  private static String formats(Command command) {
    var texts = command.formats().stream().map(OutputFormat::text).toList();
    var last = texts.size() - 1;
    return "output format: "
        + String.join(", ", texts.subList(0, last))
        + " or "
        + texts.get(last)
        + (command == Command.SYNC ? "; sync defaults to json without a terminal" : "");
  }

  private static String description(Setting setting) {
    var description = new StringBuilder(setting.meaning());
    if (!setting.fallback().isEmpty() && setting.argument().isPresent()) {
      description.append(" (default ").append(setting.fallback()).append(')');
    }
    setting.env().ifPresent(env -> description.append(" [").append(env).append(']'));
    return description.toString();
  }

  private void section(String heading, List<String> lines) {
    heading(heading);
    lines.forEach(line -> line("  " + line));
  }

  private void entry(String name, String meaning) {
    line("  " + name + " ".repeat(12 - name.length()) + capitalised(meaning));
  }

  private void heading(String heading) {
    line("");
    line(heading + ":");
  }

  private void line(String line) {
    text.append(line).append('\n');
  }

  private static String capitalised(String phrase) {
    return phrase.substring(0, 1).toUpperCase(Locale.ROOT) + phrase.substring(1);
  }
}
