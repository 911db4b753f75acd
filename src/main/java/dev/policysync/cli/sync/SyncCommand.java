package dev.policysync.cli.sync;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.cli.Command;
import dev.policysync.cli.CommandOption;
import dev.policysync.cli.ExitCode;
import dev.policysync.cli.InternalErrorMessage;
import dev.policysync.cli.Invocation;
import dev.policysync.cli.Output;
import dev.policysync.cli.OutputFormat;
import dev.policysync.cli.RunningCommand;
import dev.policysync.cli.Terminal;
import dev.policysync.cli.TerminationMessage;
import dev.policysync.cli.TextStyle;
import dev.policysync.cli.UsageError;
import dev.policysync.cli.settings.InvalidSettings;
import dev.policysync.cli.settings.LogLevel;
import dev.policysync.cli.settings.Setting;
import dev.policysync.cli.settings.Settings;
import dev.policysync.plan.SourceName;
import dev.policysync.sync.RunId;
import dev.policysync.sync.Summary;
import dev.policysync.sync.SyncResult;
import dev.policysync.sync.execution.Progress;
import dev.policysync.sync.execution.WriteMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// `sync` and `diff`: runs the sync and prints its summary.
public final class SyncCommand implements RunningCommand {
  private static final Logger LOG = LoggerFactory.getLogger(SyncCommand.class);

  private final Invocation.Run invocation;
  private final OutputFormat format;
  private final TextStyle textStyle;
  private final Output out;
  private final Output err;
  private final RunId run;
  private final Optional<ProgressLine> line;
  private final RunSoFar soFar;
  private final AtomicBoolean summarised = new AtomicBoolean();

  private final long began = System.nanoTime();

  private volatile boolean verbose;
  private volatile WriteMode writeMode;
  private volatile Optional<Path> summaryFile = Optional.empty();
  private volatile Optional<SourceName> source = Optional.empty();

  /// The summary to print if a full heap leaves no memory to create one.
  private volatile Printed lastResort;

  /// Memory that is freed when a run fails, so that a full heap has room for the summary.
  @SuppressWarnings("UnusedVariable") // it only occupies memory
  private byte @Nullable [] reserve = new byte[256 << 10];

  /// A summary as bytes, which can be written without further memory.
  @SuppressWarnings("ArrayRecordComponent") // passed on once, never compared
  private record Printed(byte[] terminationMessage, Output.Prepared output) {}

  /// Runs a sync with valid settings.
  public interface Run {
    /// Runs the sync and returns its summary; `differences` requests every changed field.
    Summary run(Settings settings, boolean differences, Progress progress);
  }

  private SyncCommand(
      Invocation.Run invocation,
      OutputFormat format,
      TextStyle textStyle,
      Output out,
      Output err,
      RunId run,
      Optional<ProgressLine> line) {
    this.invocation = invocation;
    this.format = format;
    this.textStyle = textStyle;
    this.out = out;
    this.err = err;
    this.run = run;
    this.line = line;
    this.soFar = new RunSoFar(line.isPresent() ? line.get() : Progress.NONE);
    this.writeMode = dryRunAsked(invocation) ? WriteMode.DRY_RUN : WriteMode.LIVE;
    this.lastResort = lastResort();
  }

  public static SyncCommand on(
      Invocation.Run invocation, boolean noColour, Output out, Output err, RunId run) {
    var terminal = Terminal.onStdout();
    var format = invocation.output().orElseGet(() -> usualFormat(invocation.command(), terminal));
    var textStyle = terminal && !noColour ? TextStyle.COLOURED : TextStyle.PLAIN;
    Optional<ProgressLine> line =
        format != OutputFormat.JSON && Terminal.onStderr()
            ? Optional.of(new ProgressLine(err))
            : Optional.empty();
    return new SyncCommand(invocation, format, textStyle, out, err, run, line);
  }

  /// Returns the format without `-o`: JSON for `sync` without a terminal, as in a pod; text for a
  /// person; and a diff for `diff`.
  private static OutputFormat usualFormat(Command command, boolean terminal) {
    if (command == Command.DIFF) {
      return OutputFormat.DIFF;
    }
    return terminal ? OutputFormat.TEXT : OutputFormat.JSON;
  }

  /// Returns the format of the log. That of `diff` is text on stderr, so that stdout has only the
  /// result.
  public OutputFormat logFormat() {
    return invocation.command() == Command.DIFF ? OutputFormat.TEXT : format;
  }

  private boolean showsDifferences() {
    return format == OutputFormat.DIFF || invocation.command() == Command.DIFF;
  }

  /// Runs the sync and prints its summary. If the run fails because of an internal error or lack of
  /// memory, there still is a summary.
  ///
  /// @throws InvalidSettings if the settings turn out to be invalid only during the run
  public ExitCode run(Settings settings, Run run) {
    verbose = settings.output().logLevel().filter(LogLevel.DEBUG::equals).isPresent();
    writeMode = settings.writeMode();
    summaryFile = settings.output().summaryFile().map(Path::of);
    source = Optional.of(settings.source());
    lastResort = lastResort();
    try {
      var summary = run.run(settings, showsDifferences(), soFar);
      print(summary);
      return ExitCode.of(summary, invocation);
    } catch (InvalidSettings e) {
      line.ifPresent(ProgressLine::end);
      throw e;
    } catch (RuntimeException | Error e) {
      fail(e);
      return ExitCode.FAILED;
    }
  }

  @Override
  public void printCutOff(String why) {
    orElseLastResort(() -> print(cutOff(why + "; the run did not stop in time")));
  }

  /// Prints a summary for any error.
  @Override
  public void fail(Throwable thrown) {
    reserve = null;
    orElseLastResort(() -> {
      if (!InternalErrorMessage.isOutOfMemory(thrown)) {
        InternalErrorMessage.log(thrown);
      }
      print(cutOff(InternalErrorMessage.reason(thrown)));
    });
  }

  @Override
  public ExitCode refuse(List<String> problems) {
    if (format == OutputFormat.JSON) {
      print(refused(String.join("; ", problems)));
    } else if (summarised.compareAndSet(false, true)) {
      UsageError.print(err, problems);
    }
    return ExitCode.USAGE;
  }

  /// Returns whether the command line requests a dry run. Before the settings are read, no more is
  /// known.
  private static boolean dryRunAsked(Invocation.Run invocation) {
    var flag = invocation.flags().get(Setting.DRY_RUN);
    return invocation.command() == Command.DIFF || (flag != null && !flag.equals("false"));
  }

  private Printed lastResort() {
    var reason = "the run failed, most likely " + InternalErrorMessage.outOfMemory();
    return printed(summary(new SyncResult.Refused(reason, false)));
  }

  private Summary cutOff(String reason) {
    return summary(soFar.cutOff(reason));
  }

  private Summary refused(String reason) {
    return summary(new SyncResult.Refused(reason, false));
  }

  private Summary summary(SyncResult result) {
    var took = Duration.ofNanos(System.nanoTime() - began);
    return Summary.of(result, writeMode, took, Instant.now());
  }

  private void orElseLastResort(Runnable words) {
    try {
      words.run();
    } catch (RuntimeException | Error _) {
      write(lastResort);
    }
  }

  private void print(Summary summary) {
    if (!summarised.get()) {
      summaryFile.ifPresent(file -> writeWhole(summary, file));
    }
    write(printed(summary));
  }

  /// Writes the summary file and moves it into place, so that a reader always finds a complete
  /// summary.
  private void writeWhole(Summary summary, Path file) {
    var written = file.resolveSibling(file.getFileName() + ".new");
    try {
      Files.writeString(written, SummaryJson.writeWhole(summary, run, source) + "\n");
      Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      LOG.atWarn()
          .addKeyValue("reason", "cannot write " + file + ": " + e)
          .log("Summary file not written");
    }
  }

  /// Returns the summary as JSON: all of it for `diff`; for `sync`, whose log it ends, as a line
  /// that log pipelines accept.
  private String json(Summary summary) {
    return invocation.command() == Command.DIFF
        ? SummaryJson.writeWhole(summary, run, source)
        : SummaryJson.write(summary, run, source);
  }

  private Printed printed(Summary summary) {
    var output =
        format == OutputFormat.JSON
            ? Output.prepare(json(summary) + "\n")
            : Output.prepare(
                SummaryText.write(
                    summary,
                    textStyle,
                    new SummaryText.Detail(format, invocation.has(CommandOption.FULL), verbose),
                    Terminal.columns()));
    return new Printed(TerminationText.write(summary, run).getBytes(UTF_8), output);
  }

  /// Writes the summary once, for the run or for [#printCutOff], whichever comes first.
  private synchronized void write(Printed summary) {
    if (!summarised.compareAndSet(false, true)) {
      return;
    }
    try {
      line.ifPresent(ProgressLine::end);
      TerminationMessage.write(summary.terminationMessage());
    } finally {
      out.print(summary.output());
      out.flush();
    }
  }

  /// Returns the settings with those that the command implies: `diff` never writes.
  public Settings implied(Settings settings) {
    return invocation.command() == Command.DIFF ? settings.dryRun() : settings;
  }
}
