package dev.policysync.app;

import dev.policysync.cli.Command;
import dev.policysync.cli.ExitCode;
import dev.policysync.cli.Invocation;
import dev.policysync.cli.Logs;
import dev.policysync.cli.OutputFormat;
import dev.policysync.cli.RunningCommand;
import dev.policysync.cli.Terminal;
import dev.policysync.cli.settings.InvalidSettings;
import dev.policysync.cli.settings.LogLevel;
import dev.policysync.cli.settings.PinnedSettings;
import dev.policysync.cli.settings.Setting;
import dev.policysync.cli.settings.Settings;
import dev.policysync.inspect.MemoryLimit;
import dev.policysync.sync.RunId;
import dev.policysync.sync.execution.Cancellation;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Starts a command: reads the settings, sets up logging, watches the timeout and signals, and
/// prepares connections that open on first use. The differences between commands are in their
/// wiring classes, such as [SyncWiring], which call this class.
record Launcher(ProcessEnvironment processEnvironment, Invocation.Run invocation, RunId id) {
  private static final Logger LOG = LoggerFactory.getLogger(Launcher.class);

  /// Reads the settings, e.g. `SettingsReader::read`.
  interface Reader<S> {
    S read(Map<Setting, String> flags, Map<String, String> environment, PinnedSettings pinned);
  }

  /// The start options from the settings, and the command's body.
  ///
  /// @param level the log level; empty if it is not set
  /// @param logFormat the log format. A JSON log starts at level info by default, because a pod's
  ///   log is read later and elsewhere; a text log at error, because a person reads the summary
  record Start(
      Optional<LogLevel> level,
      OutputFormat logFormat,
      Duration timeout,
      Function<Run, ExitCode> body) {
    static Start of(Settings settings, OutputFormat voice, Function<Run, ExitCode> body) {
      return new Start(settings.output().logLevel(), voice, settings.limits().timeout(), body);
    }
  }

  /// What a command's body receives.
  ///
  /// @param environment the environment variables, overridden by the pinned settings
  /// @param onCutOff sets how to release the Lease if the process must end in the middle of a run
  record Run(
      Map<String, String> environment,
      Cancellation stop,
      ConnectionFactory connectionFactory,
      Consumer<Runnable> onCutOff) {}

  Launcher(ProcessEnvironment processEnvironment, Invocation.Run invocation) {
    this(processEnvironment, invocation, RunId.of(processEnvironment.environment()));
  }

  /// Runs a command that ends with a summary, also when it fails or is stopped.
  ///
  /// @param start reads the settings
  ExitCode run(RunningCommand command, Function<PinnedSettings, Start> start) {
    var shutdownWatchdog = new ShutdownWatchdog(command);
    shutdownWatchdog.endAtErrors();
    var pinned = PinnedSettings.mounted();
    Start started;
    try {
      started = start.apply(pinned);
    } catch (InvalidSettings e) {
      return command.refuse(e.problems());
    }
    var run = begin(started, pinned, shutdownWatchdog::onCutOff);
    shutdownWatchdog.watch(run.stop(), run.connectionFactory()::cancelReads);
    try {
      return started.body().apply(run);
    } catch (InvalidSettings e) {
      return command.refuse(e.problems());
    } finally {
      shutdownWatchdog.finished();
    }
  }

  /// Runs a command that may be stopped at any time and needs no summary.
  ///
  /// @param start reads the settings
  /// @throws InvalidSettings if the settings do not permit this run
  ExitCode runUnwatched(Function<PinnedSettings, Start> start) {
    var pinned = PinnedSettings.mounted();
    var started = start.apply(pinned);
    return started.body().apply(begin(started, pinned, _ -> {}));
  }

  /// Reads the settings from flags, environment and pinned file.
  ///
  /// @throws InvalidSettings with all problems
  <S> S read(Reader<S> reader, PinnedSettings pinned) {
    return reader.read(invocation.flags(), processEnvironment.environment(), pinned);
  }

  private Run begin(Start start, PinnedSettings pinned, Consumer<Runnable> onCutOff) {
    var usual = start.logFormat() == OutputFormat.JSON ? LogLevel.INFO : LogLevel.ERROR;
    Logs.configure(start.level().orElse(usual), start.logFormat(), id);
    warnOfTooLittleMemory();
    var stop = new Cancellation(start.timeout(), System::nanoTime);
    var environment = pinned.over(processEnvironment.environment());
    return new Run(
        environment, stop, new ConnectionFactory(environment, stop, id, this::announce), onCutOff);
  }

  /// Tells a person at a terminal which cluster or API is used. `status` and `check` show that
  /// themselves.
  private void announce(String what) {
    var shown = EnumSet.of(Command.STATUS, Command.CHECK).contains(invocation.command());
    if (Terminal.onStderr() && !shown) {
      processEnvironment.err().println(what);
      processEnvironment.err().flush();
    }
  }

  /// Warns of a memory limit that is too small for the heap. This comes first, because a process
  /// that is killed for lack of memory cannot log.
  private static void warnOfTooLittleMemory() {
    var memory = MemoryLimit.ofThisProcess();
    memory
        .fix()
        .ifPresent(fix ->
            LOG.atWarn()
                .addKeyValue("reason", memory.text())
                .addKeyValue("fix", fix)
                .log("Memory limit is too small for the heap"));
  }
}
