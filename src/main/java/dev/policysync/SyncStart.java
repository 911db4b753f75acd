package dev.policysync;

import dev.policysync.cli.ExitCode;
import dev.policysync.cli.Invocation;
import dev.policysync.cli.Logs;
import dev.policysync.cli.OutputFormat;
import dev.policysync.cli.SyncCommand;
import dev.policysync.settings.LogLevel;
import dev.policysync.settings.PinnedSettings;
import dev.policysync.settings.Settings;
import dev.policysync.settings.SettingsReader;
import dev.policysync.settings.WrongSettings;
import dev.policysync.sync.RunId;
import dev.policysync.sync.StopSign;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Starts `sync` and `diff`: settings, logs, and the watch over time and signals. What a run is
/// made of is put together in [SyncRun].
final class SyncStart {
  private static final Logger LOG = LoggerFactory.getLogger(SyncStart.class);

  private final Host host;

  SyncStart(Host host) {
    this.host = host;
  }

  ExitCode run(Invocation.Run invocation) {
    var id = RunId.random();
    var command = SyncCommand.on(invocation, host.noColour(), host.out(), host.err(), id);
    var ending = new Ending(command::lastWord, command::breakDown);
    ending.endAtErrors();
    var pinned = PinnedSettings.mounted();
    Settings settings;
    try {
      settings =
          command.implied(SettingsReader.read(invocation.flags(), host.environment(), pinned));
    } catch (WrongSettings e) {
      return command.refuse(e.problems());
    }
    Logs.configure(settings.logLevel().orElse(usualLevel(command.format())), command.format(), id);
    for (var name : SettingsReader.ignored(host.environment())) {
      LOG.atDebug().addKeyValue("setting", name).log("Setting has no effect");
    }
    var stop = new StopSign(settings.timeout(), System::nanoTime);
    var links = new Links(pinned.over(host.environment()), stop, id);
    ending.watch(stop, links::cancelReads);
    try {
      return command.run(settings, new SyncRun(links, stop, id)::of);
    } catch (WrongSettings e) {
      return command.refuse(e.problems());
    } finally {
      ending.finished();
    }
  }

  /// To a person the summary says it all; a pod's log is read later and elsewhere.
  private static LogLevel usualLevel(OutputFormat format) {
    return format == OutputFormat.JSON ? LogLevel.INFO : LogLevel.ERROR;
  }
}
