package dev.policysync;

import dev.policysync.Launcher.Start;
import dev.policysync.cli.ExitCode;
import dev.policysync.cli.OutputFormat;
import dev.policysync.cli.export.ExportCommand;
import dev.policysync.cluster.policy.ClusterFullPolicies;
import dev.policysync.export.Export;
import dev.policysync.export.Exporter;
import dev.policysync.settings.Settings;
import dev.policysync.settings.SettingsReader;

/// Joins `export` to the cluster; it has no use for the API.
final class ExportWiring {
  private ExportWiring() {}

  /// stdout is for the policies alone.
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
