package dev.policysync;

import dev.policysync.cli.CheckCommand;
import dev.policysync.cli.ExitCode;
import dev.policysync.cli.Invocation;
import dev.policysync.cli.Logs;
import dev.policysync.cli.OutputFormat;
import dev.policysync.settings.LogLevel;
import dev.policysync.settings.PinnedSettings;
import dev.policysync.settings.Settings;
import dev.policysync.settings.UsableSettings;
import dev.policysync.sync.RunId;
import dev.policysync.sync.Stop;
import dev.policysync.sync.StopSign;
import java.time.Duration;

/// Starts `check`, which wrong settings do not keep from asking what can be asked without them.
final class CheckStart {
  /// Where the settings do not say how long it may take.
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  private final Host host;

  CheckStart(Host host) {
    this.host = host;
  }

  ExitCode run(Invocation.Run invocation) {
    var id = RunId.random();
    var command = CheckCommand.on(invocation, host.noColour(), host.out());
    var pinned = PinnedSettings.mounted();
    var settings = UsableSettings.read(invocation.flags(), host.environment(), pinned);
    // stdout is for the answers alone.
    Logs.configure(
        settings.whole().flatMap(Settings::logLevel).orElse(LogLevel.ERROR), OutputFormat.TEXT, id);
    var ending = new Ending(command::lastWord);
    ending.endAtErrors();
    var stop =
        new StopSign(settings.whole().map(Settings::timeout).orElse(TIMEOUT), System::nanoTime);
    var environment = pinned.over(host.environment());
    var links = new Links(environment, stop, id);
    ending.watch(stop, links::cancelReads);
    try {
      return command.run(
          new CheckRun(settings, links, stop, environment)::run,
          () -> stop.reason().map(Stop::toString).orElse(""));
    } finally {
      ending.finished();
    }
  }
}
