package dev.policysync.cli;

import java.util.List;
import java.util.Optional;
import picocli.AutoComplete;
import picocli.CommandLine;

/// The script by which bash and zsh complete our command lines: picocli's.
final class CompletionScript {
  /// The word that asks for one.
  static final String WORD = "completion";

  static final List<String> SHELLS = List.of("bash", "zsh");

  private CompletionScript() {}

  /// The script of that shell; empty where it is none of [#SHELLS].
  static Optional<String> of(String shell, CommandLine program) {
    return SHELLS.contains(shell)
        ? Optional.of(AutoComplete.bash(program.getCommandName(), program))
        : Optional.empty();
  }
}
