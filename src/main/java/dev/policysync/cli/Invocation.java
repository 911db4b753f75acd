package dev.policysync.cli;

import dev.policysync.cli.settings.Setting;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What the command line asks for.
public sealed interface Invocation {
  /// Run a command.
  ///
  /// @param flags the settings that were given as flags
  /// @param output where `-o` was given
  /// @param options the other options that were given, with their arguments, or "" if they take
  ///   none
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

    /// A command without any option.
    public static Run plain(Command command) {
      return new Run(command, Map.of(), Optional.empty(), Map.of(), List.of());
    }

    /// Whether that option was given.
    public boolean has(CommandOption option) {
      return options.containsKey(option);
    }

    /// The argument of that option, if it was given.
    public Optional<String> argument(CommandOption option) {
      return Optional.ofNullable(options.get(option));
    }
  }

  /// Print something and end: help, the version, or what is wrong with the command line.
  record Print(String text, boolean error) implements Invocation {}

  /// Reads a command line. Without options no option parser is loaded: it would cost every
  /// scheduled run a fifth of a second of CPU.
  static Invocation of(String... args) {
    if (args.length == 0) {
      return Run.plain(Command.SYNC);
    }
    if (args.length == 1 && Command.named(args[0]).isPresent()) {
      return Run.plain(Command.named(args[0]).get());
    }
    return new OptionParser().parse(args);
  }
}
