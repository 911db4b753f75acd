package dev.policysync;

import dev.policysync.cli.ExitCode;
import dev.policysync.cli.Invocation;
import dev.policysync.cli.Logs;
import dev.policysync.cli.OutputFormat;
import dev.policysync.cli.export.ExportCommand;
import dev.policysync.cluster.policy.ClusterFullPolicies;
import dev.policysync.export.Export;
import dev.policysync.export.Exporter;
import dev.policysync.settings.InvalidSettings;
import dev.policysync.settings.LogLevel;
import dev.policysync.settings.PinnedSettings;
import dev.policysync.settings.Settings;
import dev.policysync.settings.SettingsReader;
import dev.policysync.sync.RunId;
import dev.policysync.sync.execution.Cancellation;

/// Starts `export`, which reads the cluster and has no use for the API.
final class ExportLauncher {
  private final ProcessEnvironment processEnvironment;

  ExportLauncher(ProcessEnvironment processEnvironment) {
    this.processEnvironment = processEnvironment;
  }

  ExitCode run(Invocation.Run invocation) {
    var id = RunId.random();
    var command = new ExportCommand(invocation, processEnvironment.out(), processEnvironment.err());
    var pinned = PinnedSettings.mounted();
    Settings settings;
    try {
      settings =
          SettingsReader.readWithoutApi(
              invocation.flags(), processEnvironment.environment(), pinned);
    } catch (InvalidSettings e) {
      return command.refuse(e.problems());
    }
    // stdout is for the policies alone.
    Logs.configure(settings.logLevel().orElse(LogLevel.ERROR), OutputFormat.TEXT, id);
    var shutdownWatchdog = new ShutdownWatchdog(command::lastWord);
    shutdownWatchdog.endAtErrors();
    var stop = new Cancellation(settings.timeout(), System::nanoTime);
    var connectionFactory =
        new ConnectionFactory(pinned.over(processEnvironment.environment()), stop, id);
    shutdownWatchdog.watch(stop, connectionFactory::cancelReads);
    try {
      return command.run(() -> export(command, settings, connectionFactory));
    } catch (InvalidSettings e) {
      return command.refuse(e.problems());
    } finally {
      shutdownWatchdog.finished();
    }
  }

  private static Export export(
      ExportCommand command, Settings settings, ConnectionFactory connectionFactory) {
    try (var cluster = connectionFactory.cluster(settings)) {
      return new Exporter(new ClusterFullPolicies(cluster), command.selection(), settings.source())
          .run();
    }
  }
}
