package dev.policysync.cli;

import java.util.List;
import java.util.Optional;
import picocli.AutoComplete;
import picocli.CommandLine;

/// The shell completion scripts. picocli generates the script for bash, which zsh reads too. The
/// script for fish is generated here from the same commands.
final class CompletionScript {
  /// The command-line word that prints a script.
  static final String WORD = "completion";

  static final List<String> SHELLS = List.of("bash", "zsh");

  private CompletionScript() {}

  /// Returns the script of the shell; empty if the shell is none of [#SHELLS].
  static Optional<String> of(String shell, CommandLine program) {
    return SHELLS.contains(shell)
        ? Optional.of(AutoComplete.bash(program.getCommandName(), program))
        : Optional.empty();
  }
}
