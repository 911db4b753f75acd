package dev.policysync.cli;

import dev.policysync.settings.Setting;
import java.util.Map;
import java.util.Optional;

/// What the command line asks for.
public sealed interface Invocation {
  /// Run a command.
  ///
  /// @param flags the settings that were given as flags
  /// @param output where `-o` was given
  /// @param exitCode whether pending changes are to be told by the exit code
  record Run(
      Command command, Map<Setting, String> flags, Optional<OutputFormat> output, boolean exitCode)
      implements Invocation {
    public Run {
      flags = Map.copyOf(flags);
    }
  }

  /// Print something and end: help, the version, or what is wrong with the command line.
  record Print(String text, boolean error) implements Invocation {}

  /// Reads a command line. Without options no option parser is loaded: it would cost every
  /// scheduled run a fifth of a second of CPU.
  static Invocation of(String... args) {
    if (args.length == 0) {
      return new Run(Command.SYNC, Map.of(), Optional.empty(), false);
    }
    if (args.length == 1 && Command.named(args[0]).isPresent()) {
      return new Run(Command.named(args[0]).get(), Map.of(), Optional.empty(), false);
    }
    return new OptionParser().parse(args);
  }
}
