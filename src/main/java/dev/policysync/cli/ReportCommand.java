package dev.policysync.cli;

import dev.policysync.report.Findings;
import dev.policysync.report.ReportSummary;
import dev.policysync.settings.Settings;
import dev.policysync.settings.WrongSettings;
import dev.policysync.sync.Mode;
import dev.policysync.sync.RunId;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/// `report`: calls the run and prints what comes of it.
///
/// It sends to the API, unless a format was chosen by `-o`, a dry run was asked for, or a person at
/// a terminal has set nothing of the API: then it shows.
public final class ReportCommand {
  private final Invocation.Run invocation;
  private final boolean terminal;
  private final OutputFormat format;
  private final PrintStream out;
  private final PrintStream err;
  private final RunId run;
  private final AtomicBoolean summarised = new AtomicBoolean();

  /// How a run is called, once the settings are known.
  public interface Run {
    /// Collects and sends, or writes the file that the settings name.
    ReportSummary deliver(Settings settings);

    /// Collects and shows.
    ReportSummary show(Settings settings, Consumer<Findings> reader);
  }

  private ReportCommand(
      Invocation.Run invocation, boolean terminal, PrintStream out, PrintStream err, RunId run) {
    this.invocation = invocation;
    this.terminal = terminal;
    this.format = invocation.output().orElse(terminal ? OutputFormat.TEXT : OutputFormat.JSON);
    this.out = out;
    this.err = err;
    this.run = run;
  }

  /// The command as these streams ask for it.
  public static ReportCommand on(
      Invocation.Run invocation, PrintStream out, PrintStream err, RunId run) {
    return new ReportCommand(invocation, Terminal.onStdout(), out, err, run);
  }

  /// The same, whatever stdout is.
  static ReportCommand on(
      Invocation.Run invocation, boolean terminal, PrintStream out, PrintStream err, RunId run) {
    return new ReportCommand(invocation, terminal, out, err, run);
  }

  /// How this command writes.
  public OutputFormat format() {
    return format;
  }

  /// Whether the API is needed.
  ///
  /// @param settings as read without the API
  /// @param apiGiven whether anything of the API is set
  public boolean sends(Settings settings, boolean apiGiven) {
    return !shows(settings) && settings.reporting().file().isEmpty() && (apiGiven || !terminal);
  }

  /// Runs and prints. Where the run itself breaks down, which is a defect of ours, there still is a
  /// summary.
  ///
  /// @throws WrongSettings if it shows only now that it cannot be run like this
  public ExitCode run(Settings settings, Run how) {
    ReportSummary summary;
    try {
      summary =
          settings.api().isPresent()
                  || (settings.reporting().file().isPresent() && !shows(settings))
              ? how.deliver(settings)
              : how.show(settings, this::show);
    } catch (WrongSettings e) {
      throw e;
    } catch (RuntimeException e) {
      Defect.log(e);
      summary = ReportSummary.failed(Defect.reason(e), Duration.ZERO);
    }
    print(summary);
    return summary.failure().isEmpty() ? ExitCode.OK : ExitCode.FAILED;
  }

  /// The summary of a run that does not come to its end, and is about to be ended.
  ///
  /// @param why `stopped by a signal`
  public void lastWord(String why) {
    print(ReportSummary.failed(why + "; it did not end by itself", Duration.ZERO));
  }

  /// Says what is wrong with the settings; nothing was run.
  public ExitCode refuse(List<String> problems) {
    if (format == OutputFormat.JSON) {
      print(ReportSummary.failed(String.join("; ", problems), Duration.ZERO));
    } else if (summarised.compareAndSet(false, true)) {
      err.println("policy-sync cannot start:");
      problems.forEach(problem -> err.println("  - " + problem));
      err.println("Try 'policy-sync help'.");
      err.flush();
    }
    return ExitCode.USAGE;
  }

  private boolean shows(Settings settings) {
    return invocation.output().isPresent() || settings.mode() == Mode.DRY_RUN;
  }

  /// Shows the findings in the chosen format, before the summary.
  private void show(Findings findings) {}

  /// Whoever comes first, the run or [#lastWord]: there is one summary.
  private synchronized void print(ReportSummary summary) {
    if (!summarised.compareAndSet(false, true)) {
      return;
    }
    TerminationMessage.leave(
        ReportJson.counts(summary) + ", run " + run + "\n" + summary.failure().orElse(""));
    out.print(format == OutputFormat.JSON ? ReportJson.write(summary, run) + "\n" : text(summary));
    out.flush();
  }

  private static String text(ReportSummary summary) {
    var what =
        switch (summary.outcome()) {
          case UPLOADED -> "Sent to the API: ";
          case WRITTEN -> "Written: ";
          case SHOWN -> "";
          case FAILED -> "Failed: ";
        };
    return what + summary.failure().orElseGet(() -> ReportJson.counts(summary)) + "\n";
  }
}
