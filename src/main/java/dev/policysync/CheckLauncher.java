package dev.policysync;

import dev.policysync.cli.ExitCode;
import dev.policysync.cli.Invocation;
import dev.policysync.cli.Logs;
import dev.policysync.cli.OutputFormat;
import dev.policysync.cli.check.CheckCommand;
import dev.policysync.settings.LogLevel;
import dev.policysync.settings.PartialSettings;
import dev.policysync.settings.PinnedSettings;
import dev.policysync.settings.Settings;
import dev.policysync.sync.RunId;
import dev.policysync.sync.execution.Cancellation;
import dev.policysync.sync.execution.StopReason;
import java.time.Duration;

/// Starts `check`, which wrong settings do not keep from asking what can be asked without them.
final class CheckLauncher {
  /// Where the settings do not say how long it may take.
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  private final ProcessEnvironment processEnvironment;

  CheckLauncher(ProcessEnvironment processEnvironment) {
    this.processEnvironment = processEnvironment;
  }

  ExitCode run(Invocation.Run invocation) {
    var id = RunId.random();
    var command =
        CheckCommand.on(invocation, processEnvironment.noColour(), processEnvironment.out());
    var pinned = PinnedSettings.mounted();
    var settings =
        PartialSettings.read(invocation.flags(), processEnvironment.environment(), pinned);
    // stdout is for the answers alone.
    Logs.configure(
        settings.whole().flatMap(Settings::logLevel).orElse(LogLevel.ERROR), OutputFormat.TEXT, id);
    var shutdownWatchdog = new ShutdownWatchdog(command::lastWord);
    shutdownWatchdog.endAtErrors();
    var stop =
        new Cancellation(settings.whole().map(Settings::timeout).orElse(TIMEOUT), System::nanoTime);
    var environment = pinned.over(processEnvironment.environment());
    var connectionFactory = new ConnectionFactory(environment, stop, id);
    shutdownWatchdog.watch(stop, connectionFactory::cancelReads);
    try {
      return command.run(
          new CheckWiring(settings, connectionFactory, stop, environment)::run,
          () -> stop.reason().map(StopReason::toString).orElse(""));
    } finally {
      shutdownWatchdog.finished();
    }
  }
}
