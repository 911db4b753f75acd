package dev.policysync.app;

import dev.policysync.cli.ExitCode;
import dev.policysync.cli.Invocation;
import dev.policysync.cli.Logs;
import dev.policysync.cli.OutputFormat;
import dev.policysync.cli.RunningCommand;
import dev.policysync.cli.settings.InvalidSettings;
import dev.policysync.cli.settings.LogLevel;
import dev.policysync.cli.settings.PinnedSettings;
import dev.policysync.cli.settings.Setting;
import dev.policysync.cli.settings.Settings;
import dev.policysync.inspect.MemoryLimit;
import dev.policysync.sync.RunId;
import dev.policysync.sync.execution.Cancellation;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Starts a command: settings, logs, the watch over time and signals, and the connections, of which
/// none is opened before it is used. What is a command's own stands in its wiring ([SyncWiring] and
/// its like), which calls this; it knows none of them.
record Launcher(ProcessEnvironment processEnvironment, Invocation.Run invocation, RunId id) {
  private static final Logger LOG = LoggerFactory.getLogger(Launcher.class);

  /// How settings are read: `SettingsReader::read` or one of its kin.
  interface Reader<S> {
    S read(Map<Setting, String> flags, Map<String, String> environment, PinnedSettings pinned);
  }

  /// What the settings say about the start, and what is started.
  ///
  /// @param level where it is set
  /// @param voice how the log is written; to a person the summary says it all, but a pod's log is
  ///   read later and elsewhere
  record Start(
      Optional<LogLevel> level,
      OutputFormat voice,
      Duration timeout,
      Function<Run, ExitCode> body) {
    static Start of(Settings settings, OutputFormat voice, Function<Run, ExitCode> body) {
      return new Start(settings.logLevel(), voice, settings.timeout(), body);
    }
  }

  /// What a command runs with.
  ///
  /// @param environment the variables, where pinned settings have won
  /// @param onCutOff sets how to release the Lease when the process is ended in the middle of a run
  record Run(
      Map<String, String> environment,
      Cancellation stop,
      ConnectionFactory connectionFactory,
      Consumer<Runnable> onCutOff) {}

  Launcher(ProcessEnvironment processEnvironment, Invocation.Run invocation) {
    this(processEnvironment, invocation, RunId.of(processEnvironment.environment()));
  }

  /// Runs a command that has a summary, whatever breaks it and whenever it is stopped.
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

  /// Runs a command that may be stopped anywhere, and then has nothing to say.
  ///
  /// @param start reads the settings
  /// @throws InvalidSettings if it cannot be run like this
  ExitCode runUnwatched(Function<PinnedSettings, Start> start) {
    var pinned = PinnedSettings.mounted();
    var started = start.apply(pinned);
    return started.body().apply(begin(started, pinned, _ -> {}));
  }

  /// The settings that this process was started with.
  ///
  /// @throws InvalidSettings with all problems
  <S> S read(Reader<S> reader, PinnedSettings pinned) {
    return reader.read(invocation.flags(), processEnvironment.environment(), pinned);
  }

  private Run begin(Start start, PinnedSettings pinned, Consumer<Runnable> onCutOff) {
    var usual = start.voice() == OutputFormat.JSON ? LogLevel.INFO : LogLevel.ERROR;
    Logs.configure(start.level().orElse(usual), start.voice(), id);
    warnOfTooLittleMemory();
    var stop = new Cancellation(start.timeout(), System::nanoTime);
    var environment = pinned.over(processEnvironment.environment());
    return new Run(environment, stop, new ConnectionFactory(environment, stop, id), onCutOff);
  }

  /// Said before anything else, since a process that is killed says nothing more.
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
