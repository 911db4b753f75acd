package dev.policysync;

import dev.policysync.cli.ExitCode;
import dev.policysync.cli.Invocation;
import dev.policysync.cli.Logs;
import dev.policysync.cli.OutputFormat;
import dev.policysync.cli.report.ReportCommand;
import dev.policysync.settings.InvalidSettings;
import dev.policysync.settings.LogLevel;
import dev.policysync.settings.PinnedSettings;
import dev.policysync.settings.Setting;
import dev.policysync.settings.Settings;
import dev.policysync.settings.SettingsReader;
import dev.policysync.sync.RunId;
import dev.policysync.sync.execution.Cancellation;
import java.util.List;
import java.util.Map;

/// Starts `report`: settings, logs, and the watch over time and signals. What a run is made of is
/// put together in [ReportWiring].
final class ReportLauncher {
  /// Of these one is enough to mean the API.
  private static final List<Setting> API =
      List.of(
          Setting.INSIGHTS_HOST,
          Setting.TOKEN,
          Setting.TOKEN_FILE,
          Setting.ORGANIZATION,
          Setting.CLUSTER);

  private final ProcessEnvironment processEnvironment;

  ReportLauncher(ProcessEnvironment processEnvironment) {
    this.processEnvironment = processEnvironment;
  }

  ExitCode run(Invocation.Run invocation) {
    var id = RunId.random();
    var command =
        ReportCommand.on(
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
      settings = settings(command, invocation, pinned);
    } catch (InvalidSettings e) {
      return command.refuse(e.problems());
    }
    var voice = command.voice(settings);
    Logs.configure(settings.logLevel().orElse(usualLevel(voice)), voice, id);
    var stop = new Cancellation(settings.timeout(), System::nanoTime);
    var environment = pinned.over(processEnvironment.environment());
    var connectionFactory = new ConnectionFactory(environment, stop, id);
    shutdownWatchdog.watch(stop, connectionFactory::cancelReads);
    try {
      return command.run(settings, new ReportWiring(connectionFactory, stop, environment));
    } catch (InvalidSettings e) {
      return command.refuse(e.problems());
    } finally {
      shutdownWatchdog.finished();
    }
  }

  private Settings settings(
      ReportCommand command, Invocation.Run invocation, PinnedSettings pinned) {
    var flags = invocation.flags();
    var settings = SettingsReader.readWithoutApi(flags, processEnvironment.environment(), pinned);
    return command.sends(settings, apiGiven(flags, pinned))
        ? SettingsReader.read(flags, processEnvironment.environment(), pinned)
        : settings;
  }

  private boolean apiGiven(Map<Setting, String> flags, PinnedSettings pinned) {
    var environment = pinned.over(processEnvironment.environment());
    return API.stream()
        .anyMatch(setting ->
            flags.containsKey(setting)
                || setting.env().map(environment::get).filter(text -> !text.isBlank()).isPresent());
  }

  /// To a person the summary says it all; a pod's log is read later and elsewhere.
  private static LogLevel usualLevel(OutputFormat format) {
    return format == OutputFormat.JSON ? LogLevel.INFO : LogLevel.ERROR;
  }
}
