package dev.policysync;

import dev.policysync.cli.ExitCode;
import dev.policysync.cli.Invocation;
import dev.policysync.cli.Logs;
import dev.policysync.cli.OutputFormat;
import dev.policysync.cli.ReportCommand;
import dev.policysync.settings.LogLevel;
import dev.policysync.settings.PinnedSettings;
import dev.policysync.settings.Setting;
import dev.policysync.settings.Settings;
import dev.policysync.settings.SettingsReader;
import dev.policysync.settings.WrongSettings;
import dev.policysync.sync.RunId;
import dev.policysync.sync.StopSign;
import java.util.List;
import java.util.Map;

/// Starts `report`: settings, logs, and the watch over time and signals. What a run is made of is
/// put together in [ReportRun].
final class ReportStart {
  /// Of these one is enough to mean the API.
  private static final List<Setting> API =
      List.of(
          Setting.INSIGHTS_HOST,
          Setting.TOKEN,
          Setting.TOKEN_FILE,
          Setting.ORGANIZATION,
          Setting.CLUSTER);

  private final Host host;

  ReportStart(Host host) {
    this.host = host;
  }

  ExitCode run(Invocation.Run invocation) {
    var id = RunId.random();
    var command = ReportCommand.on(invocation, host.noColour(), host.out(), host.err(), id);
    var ending = new Ending(command::lastWord, command::breakDown);
    ending.endAtErrors();
    var pinned = PinnedSettings.mounted();
    Settings settings;
    try {
      settings = settings(command, invocation, pinned);
    } catch (WrongSettings e) {
      return command.refuse(e.problems());
    }
    var voice = command.voice(settings);
    Logs.configure(settings.logLevel().orElse(usualLevel(voice)), voice, id);
    var stop = new StopSign(settings.timeout(), System::nanoTime);
    var environment = pinned.over(host.environment());
    var links = new Links(environment, stop, id);
    ending.watch(stop, links::cancelReads);
    try {
      return command.run(settings, new ReportRun(links, stop, environment));
    } catch (WrongSettings e) {
      return command.refuse(e.problems());
    } finally {
      ending.finished();
    }
  }

  private Settings settings(
      ReportCommand command, Invocation.Run invocation, PinnedSettings pinned) {
    var flags = invocation.flags();
    var settings = SettingsReader.readWithoutApi(flags, host.environment(), pinned);
    return command.sends(settings, apiGiven(flags, pinned))
        ? SettingsReader.read(flags, host.environment(), pinned)
        : settings;
  }

  private boolean apiGiven(Map<Setting, String> flags, PinnedSettings pinned) {
    var environment = pinned.over(host.environment());
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
