package dev.policysync.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.AutoComplete;
import picocli.CommandLine;

/// The shell completion scripts. picocli generates the script for bash, which zsh reads too. The
/// script for fish is generated here from the same commands.
final class CompletionScript {
  /// The command-line word that prints a script.
  static final String WORD = "completion";

  static final List<String> SHELLS = List.of("bash", "zsh", "fish");

  /// The command-line words that are not a [Command].
  private static final List<String> OWN_WORDS = List.of(WORD, "version", "help");

  private final List<String> lines = new ArrayList<>();

  private CompletionScript() {}

  /// Returns the script of the shell; empty if the shell is none of [#SHELLS].
  static Optional<String> of(String shell, CommandLine program) {
    return switch (shell) {
      case "bash", "zsh" -> Optional.of(AutoComplete.bash(program.getCommandName(), program));
      case "fish" -> Optional.of(new CompletionScript().fish());
      default -> Optional.empty();
    };
  }

  private String fish() {
    add("-f");
    for (var command : Command.all()) {
      add("-n __fish_use_subcommand -a " + command.text() + described(command.meaning()));
      var others = Command.all().stream().filter(other -> other != command).map(Command::text);
      // A command line without a command means sync.
      options(
          command,
          command == Command.SYNC
              ? "not " + seen(Stream.concat(others, OWN_WORDS.stream()))
              : seen(Stream.of(command.text())));
    }
    OWN_WORDS.forEach(word -> add("-n __fish_use_subcommand -a " + word));
    word(WORD, SHELLS);
    word("help", Command.all().stream().map(Command::text).toList());
    add("-n '" + seen(Stream.of("version")) + "' -s o -l output -x -a 'text json'");
    return String.join("\n", lines) + "\n";
  }

  private void options(Command command, String condition) {
    var prefix = "-n '" + condition + "'";
    for (var setting : command.settings()) {
      setting
          .flag()
          .ifPresent(flag ->
              add(
                  prefix
                      + setting.shortFlag().map(name -> " -s " + name.substring(1)).orElse("")
                      + option(flag, setting.argument().orElse(""))
                      + described(setting.meaning())));
    }
    for (var option : command.options()) {
      add(prefix + option(option.flag(), option.argument()) + described(option.meaning()));
    }
    var formats =
        command.formats().stream().map(OutputFormat::text).collect(Collectors.joining(" "));
    add(prefix + " -s o -l output -x -a '" + formats + "'" + described("output format"));
    add(prefix + " -s h -l help" + described("show this help"));
    if (!command.operand().isEmpty()) {
      add(prefix + " -F");
    }
  }

  private void word(String word, List<String> arguments) {
    add("-n '" + seen(Stream.of(word)) + "' -a '" + String.join(" ", arguments) + "'");
  }

  private static String option(String flag, String argument) {
    var name = " -l " + flag.substring(2);
    if (argument.isEmpty()) {
      return name;
    }
    return name + (argument.startsWith(OptionParser.FILE) ? " -r -F" : " -x");
  }

  private static String seen(Stream<String> words) {
    return "__fish_seen_subcommand_from " + words.collect(Collectors.joining(" "));
  }

  private static String described(String meaning) {
    return " -d '" + meaning.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }

  private void add(String arguments) {
    lines.add("complete -c policy-sync " + arguments);
  }
}
