package dev.policysync.app;

import dev.policysync.app.Launcher.Start;
import dev.policysync.cli.ExitCode;
import dev.policysync.cli.ExportCommand;
import dev.policysync.cli.OutputFormat;
import dev.policysync.cli.settings.Settings;
import dev.policysync.cli.settings.SettingsReader;
import dev.policysync.inspect.Export;
import dev.policysync.inspect.Exporter;
import dev.policysync.remote.cluster.policy.ClusterFullPolicies;

/// Wires `export` to the cluster. The command does not use the API.
final class ExportWiring {
  private ExportWiring() {}

  /// Starts `export`. stdout carries only the policies.
  static ExitCode launch(Launcher launcher) {
    var process = launcher.processEnvironment();
    var command = new ExportCommand(launcher.invocation(), process.out(), process.err());
    return launcher.run(
        command,
        pinned -> {
          var settings = launcher.read(SettingsReader::readWithoutApi, pinned);
          return Start.of(
              settings,
              OutputFormat.TEXT,
              run -> command.run(() -> export(command, settings, run.connectionFactory())));
        });
  }

  private static Export export(
      ExportCommand command, Settings settings, ConnectionFactory connectionFactory) {
    try (var cluster = connectionFactory.cluster(settings)) {
      return new Exporter(new ClusterFullPolicies(cluster), command.selection(), settings.source())
          .run();
    }
  }
}
