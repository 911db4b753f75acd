package dev.policysync.app;

import dev.policysync.cli.ExitCode;
import dev.policysync.cli.Invocation;
import java.util.List;

/// What the class cache is recorded from: commands of a pod, one after the other, since Java 25
/// records one process for a cache. Only the build starts this, in place of [Main].
final class Rehearsal {
  private static final List<List<String>> COMMANDS =
      List.of(List.of("sync"), List.of("report"), List.of("report", "--output-file=kyverno.json"));

  private Rehearsal() {}

  /// Ends with the code of the first command that fails.
  ///
  /// @param args not looked at: the launcher gives what is meant for [Main]
  public static void main(String[] args) {
    var processEnvironment = Main.processEnvironment();
    var code = ExitCode.OK;
    for (var command : COMMANDS) {
      code = Main.run(processEnvironment, Invocation.of(command.toArray(String[]::new)));
      if (code != ExitCode.OK) {
        break;
      }
    }
    Main.end(code);
  }
}
