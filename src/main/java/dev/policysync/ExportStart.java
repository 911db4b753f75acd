package dev.policysync;

import dev.policysync.cli.ExitCode;
import dev.policysync.cli.ExportCommand;
import dev.policysync.cli.Invocation;
import dev.policysync.cli.Logs;
import dev.policysync.cli.OutputFormat;
import dev.policysync.cluster.ClusterBackup;
import dev.policysync.export.Export;
import dev.policysync.export.Exporter;
import dev.policysync.settings.LogLevel;
import dev.policysync.settings.PinnedSettings;
import dev.policysync.settings.Settings;
import dev.policysync.settings.SettingsReader;
import dev.policysync.settings.WrongSettings;
import dev.policysync.sync.RunId;
import dev.policysync.sync.StopSign;

/// Starts `export`, which reads the cluster and has no use for the API.
final class ExportStart {
  private final Host host;

  ExportStart(Host host) {
    this.host = host;
  }

  ExitCode run(Invocation.Run invocation) {
    var id = RunId.random();
    var command = new ExportCommand(invocation, host.out(), host.err());
    var pinned = PinnedSettings.mounted();
    Settings settings;
    try {
      settings = SettingsReader.readWithoutApi(invocation.flags(), host.environment(), pinned);
    } catch (WrongSettings e) {
      return command.refuse(e.problems());
    }
    // stdout is for the policies alone.
    Logs.configure(settings.logLevel().orElse(LogLevel.ERROR), OutputFormat.TEXT, id);
    var ending = new Ending(command::lastWord);
    ending.endAtErrors();
    var stop = new StopSign(settings.timeout(), System::nanoTime);
    var links = new Links(pinned.over(host.environment()), stop, id);
    ending.watch(stop, links::cancelReads);
    try {
      return command.run(() -> export(command, settings, links));
    } catch (WrongSettings e) {
      return command.refuse(e.problems());
    } finally {
      ending.finished();
    }
  }

  private static Export export(ExportCommand command, Settings settings, Links links) {
    try (var cluster = links.cluster(settings)) {
      return new Exporter(new ClusterBackup(cluster), command.selection(), settings.source()).run();
    }
  }
}
