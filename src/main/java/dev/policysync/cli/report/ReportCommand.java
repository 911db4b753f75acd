package dev.policysync.cli.report;

import dev.policysync.cli.CommandOption;
import dev.policysync.cli.ExitCode;
import dev.policysync.cli.InternalErrorMessage;
import dev.policysync.cli.Invocation;
import dev.policysync.cli.Output;
import dev.policysync.cli.OutputFormat;
import dev.policysync.cli.ProgramVersion;
import dev.policysync.cli.RunningCommand;
import dev.policysync.cli.Terminal;
import dev.policysync.cli.TextStyle;
import dev.policysync.cli.settings.InvalidSettings;
import dev.policysync.cli.settings.Setting;
import dev.policysync.cli.settings.Settings;
import dev.policysync.plan.SourceName;
import dev.policysync.report.CollectionFailed;
import dev.policysync.report.Findings;
import dev.policysync.report.ReportSummary;
import dev.policysync.report.view.FindingContext;
import dev.policysync.report.view.ReportHeader;
import dev.policysync.sync.RunId;
import dev.policysync.sync.execution.WriteMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// `report`: runs the report and prints its result.
///
/// In a pod the report is sent to the API. Elsewhere, in a dry run, and in a format that `-o`
/// chose, it is shown, unless `--upload` asks for the upload.
public final class ReportCommand implements RunningCommand {
  private final Invocation.Run invocation;
  private final boolean terminal;
  private final boolean inPod;
  private final Output out;
  private final TextStyle textStyle;
  private final ReportSummaryOutput summaries;

  /// Runs a report with valid settings.
  public interface Run {
    /// Collects the report and sends it, or writes it to the file that the settings name.
    ReportSummary deliver(Settings settings);

    /// Collects the report and passes it to the reader.
    ReportSummary show(Settings settings, Reader reader);
  }

  /// Shows findings.
  public interface Reader {
    /// Shows the findings.
    ///
    /// @param namespaceLabels returns the values of a label by namespace; empty if listing
    ///   namespaces is forbidden
    void read(Findings findings, Function<String, Optional<Map<String, String>>> namespaceLabels);
  }

  private ReportCommand(
      Invocation.Run invocation,
      boolean inPod,
      boolean noColour,
      Output out,
      Output err,
      RunId run) {
    this.invocation = invocation;
    this.inPod = inPod;
    this.terminal = Terminal.onStdout();
    this.textStyle = terminal && !noColour ? TextStyle.COLOURED : TextStyle.PLAIN;
    this.out = out;
    var voice = terminal || showRequested(invocation) ? OutputFormat.TEXT : OutputFormat.JSON;
    this.summaries = new ReportSummaryOutput(voice, out, err, run);
  }

  public static ReportCommand on(
      Invocation.Run invocation,
      boolean inPod,
      boolean noColour,
      Output out,
      Output err,
      RunId run) {
    return new ReportCommand(invocation, inPod, noColour, out, err, run);
  }

  /// Returns the format of the log and the summary: JSON for a job, text for a person. A shown
  /// report has the format that `-o` chooses and is alone on stdout.
  public OutputFormat logFormat(Settings settings) {
    if (shows(settings)) {
      summaries.speakToAPerson();
    }
    return summaries.voice();
  }

  /// Returns whether the report is sent to the API.
  ///
  /// @param settings as read without the API
  public boolean sends(Settings settings) {
    return !shows(settings) && settings.reporting().file().isEmpty();
  }

  /// Runs the report and prints its result. If the run fails because of an internal error or lack
  /// of memory, there still is a summary.
  ///
  /// @throws InvalidSettings if the settings turn out to be invalid only during the run
  public ExitCode run(Settings settings, Run how) {
    var _ = logFormat(settings);
    var question = StorageOptions.of(invocation);
    var viewOptions = ViewOptions.of(invocation, header(settings));
    ReportSummary summary;
    try {
      summary =
          settings.api().isPresent()
                  || (settings.reporting().file().isPresent() && !shows(settings))
              ? how.deliver(settings)
              : how.show(
                  settings,
                  (findings, namespaceLabels) -> {
                    var context = viewOptions.context(findings, header(settings), namespaceLabels);
                    show(findings, context, question);
                  });
    } catch (InvalidSettings e) {
      throw e;
    } catch (RuntimeException | Error e) {
      fail(e);
      return ExitCode.FAILED;
    }
    summaries.print(summary);
    return summary.failure().isEmpty() ? ExitCode.OK : ExitCode.FAILED;
  }

  @Override
  public void printCutOff(String why) {
    summaries.print(ReportSummary.failed(why + "; the run did not stop in time", Duration.ZERO));
  }

  @Override
  public void fail(Throwable thrown) {
    if (!InternalErrorMessage.isOutOfMemory(thrown)) {
      InternalErrorMessage.log(thrown);
    }
    summaries.print(ReportSummary.failed(InternalErrorMessage.reason(thrown), Duration.ZERO));
  }

  @Override
  public ExitCode refuse(List<String> problems) {
    summaries.refuse(problems);
    return ExitCode.USAGE;
  }

  private boolean shows(Settings settings) {
    if (settings.writeMode() == WriteMode.DRY_RUN) {
      return true;
    }
    return !invocation.has(CommandOption.UPLOAD)
        && (showRequested(invocation)
            || ((terminal || !inPod) && settings.reporting().file().isEmpty()));
  }

  private static boolean showRequested(Invocation.Run invocation) {
    return invocation.output().isPresent()
        || invocation.has(CommandOption.STORAGE)
        || invocation.has(CommandOption.SINCE)
        || invocation.has(CommandOption.OWNER_LABEL);
  }

  /// Shows the findings on stdout, or writes them to the file of `--output-file`. The environment
  /// variable does not count: its file is for the upload, which another container sends.
  private void show(Findings findings, FindingContext context, StorageOptions question) {
    var file = invocation.flags().get(Setting.OUTPUT_FILE);
    if (file == null || invocation.output().isEmpty()) {
      show(findings, question, textStyle, context, out);
      return;
    }
    var path = Path.of(file);
    var partial = path.resolveSibling(path.getFileName() + ".new");
    try {
      try (var stream = Files.newOutputStream(partial)) {
        var to = Output.to(stream);
        show(findings, question, TextStyle.PLAIN, context, to);
        to.flush();
      }
      Files.move(partial, path, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new CollectionFailed("cannot write " + file + ": " + e.getMessage(), e);
    }
  }

  private void show(
      Findings findings,
      StorageOptions question,
      TextStyle textStyle,
      FindingContext context,
      Output to) {
    var format = invocation.output().orElse(OutputFormat.TEXT);
    var output = new FindingsOutput(format, textStyle, context, to);
    if (invocation.has(CommandOption.STORAGE)) {
      output.storage(findings, question);
    } else {
      output.findings(findings);
    }
  }

  private static ReportHeader header(Settings settings) {
    var cluster =
        settings.source().equals(SourceName.LOCAL)
            ? settings.cluster().context().orElse("")
            : settings.source().toString();
    return new ReportHeader(cluster, Instant.now(), "policy-sync " + ProgramVersion.text());
  }
}
