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
