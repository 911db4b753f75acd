package dev.policysync;

import dev.policysync.cli.ExitCode;
import dev.policysync.cli.convert.ConvertCommand;
import dev.policysync.policy.Manifest;
import dev.policysync.policy.feed.FilePolicySource;
import java.util.ArrayList;
import java.util.List;

/// Joins `convert` to its files: no setting, no connection.
final class ConvertWiring {
  private ConvertWiring() {}

  static ExitCode launch(Launcher launcher) {
    var process = launcher.processEnvironment();
    var command = ConvertCommand.on(launcher.invocation(), process.out(), process.err());
    var problems = command.problems();
    return problems.isEmpty() ? command.run(() -> read(command.files())) : command.refuse(problems);
  }

  private static List<Manifest> read(List<String> files) {
    var manifests = new ArrayList<Manifest>();
    for (var file : files) {
      manifests.addAll(new FilePolicySource(file, () -> System.in).read());
    }
    return manifests;
  }
}
