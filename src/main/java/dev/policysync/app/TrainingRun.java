package dev.policysync.app;

import dev.policysync.cli.ExitCode;
import dev.policysync.cli.Invocation;
import java.util.List;

/// The training run that records the class-data cache. It runs the commands of a pod one after the
/// other, because Java 25 records a cache from one process. Only the build starts it, in place of
/// [Main].
final class TrainingRun {
  private static final List<List<String>> COMMANDS =
      List.of(List.of("sync"), List.of("report"), List.of("report", "--output-file=kyverno.json"));

  private TrainingRun() {}

  /// Runs the commands and exits with the code of the first one that fails.
  ///
  /// @param args ignored: the launcher passes the arguments for [Main]
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
