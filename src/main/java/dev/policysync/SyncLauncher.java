package dev.policysync;

import dev.policysync.cli.ExitCode;
import dev.policysync.cli.Invocation;
import dev.policysync.cli.Logs;
import dev.policysync.cli.OutputFormat;
import dev.policysync.cli.sync.SyncCommand;
import dev.policysync.settings.InvalidSettings;
import dev.policysync.settings.LogLevel;
import dev.policysync.settings.PinnedSettings;
import dev.policysync.settings.Settings;
import dev.policysync.settings.SettingsReader;
import dev.policysync.sync.RunId;
import dev.policysync.sync.execution.Cancellation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Starts `sync` and `diff`: settings, logs, and the watch over time and signals. What a run is
/// made of is put together in [SyncWiring].
final class SyncLauncher {
  private static final Logger LOG = LoggerFactory.getLogger(SyncLauncher.class);

  private final ProcessEnvironment processEnvironment;

  SyncLauncher(ProcessEnvironment processEnvironment) {
    this.processEnvironment = processEnvironment;
  }

  ExitCode run(Invocation.Run invocation) {
    var id = RunId.random();
    var command =
        SyncCommand.on(
            invocation,
            processEnvironment.noColour(),
            processEnvironment.out(),
            processEnvironment.err(),
            id);
    var shutdownWatchdog = new ShutdownWatchdog(command::lastWord, command::breakDown);
    shutdownWatchdog.endAtErrors();
    var pinned = PinnedSettings.mounted();
    Settings settings;
    try {
      settings =
          command.implied(
              SettingsReader.read(invocation.flags(), processEnvironment.environment(), pinned));
    } catch (InvalidSettings e) {
      return command.refuse(e.problems());
    }
    Logs.configure(settings.logLevel().orElse(usualLevel(command.format())), command.format(), id);
    for (var name : SettingsReader.ignored(processEnvironment.environment())) {
      LOG.atDebug().addKeyValue("setting", name).log("Setting has no effect");
    }
    var stop = new Cancellation(settings.timeout(), System::nanoTime);
    var connectionFactory =
        new ConnectionFactory(pinned.over(processEnvironment.environment()), stop, id);
    shutdownWatchdog.watch(stop, connectionFactory::cancelReads);
    try {
      return command.run(settings, new SyncWiring(connectionFactory, stop, id)::of);
    } catch (InvalidSettings e) {
      return command.refuse(e.problems());
    } finally {
      shutdownWatchdog.finished();
    }
  }

  /// To a person the summary says it all; a pod's log is read later and elsewhere.
  private static LogLevel usualLevel(OutputFormat format) {
    return format == OutputFormat.JSON ? LogLevel.INFO : LogLevel.ERROR;
  }
}
