package dev.policysync.cli;

import dev.policysync.cli.settings.Setting;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A parsed command line.
public sealed interface Invocation {
  /// A command to run.
  ///
  /// @param flags the settings that were given as flags
  /// @param output the format of `-o`, if given
  /// @param options the other options that were given, with their arguments, or "" for an option
  ///   without argument
  /// @param operands the words that belong to no option
  record Run(
      Command command,
      Map<Setting, String> flags,
      Optional<OutputFormat> output,
      Map<CommandOption, String> options,
      List<String> operands)
      implements Invocation {
    public Run {
      flags = Map.copyOf(flags);
      options = Map.copyOf(options);
      operands = List.copyOf(operands);
    }

    public static Run plain(Command command) {
      return new Run(command, Map.of(), Optional.empty(), Map.of(), List.of());
    }

    public boolean has(CommandOption option) {
      return options.containsKey(option);
    }

    public Optional<String> argument(CommandOption option) {
      return Optional.ofNullable(options.get(option));
    }
  }

  /// A text to print before the program ends: help, the version, or an error in the command line.
  record Print(String text, boolean error) implements Invocation {}

  /// Parses a command line. Without options it does not load the option parser, which would cost
  /// every scheduled run 0.2 s of CPU time.
  static Invocation of(String... args) {
    if (args.length == 0) {
      // A pod has no terminal. A person who types the name alone wants to know what it does.
      return Terminal.onStdout() && Terminal.onStdin()
          ? new Print(HelpText.ofProgram(), false)
          : Run.plain(Command.SYNC);
    }
    if (args.length == 1 && Command.named(args[0]).isPresent()) {
      return Run.plain(Command.named(args[0]).get());
    }
    return new OptionParser().parse(args);
  }
}
