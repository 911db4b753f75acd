package dev.policysync.cli.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.cli.Output;
import dev.policysync.cli.OutputFormat;
import dev.policysync.cli.TerminalText;
import dev.policysync.cli.TerminationMessage;
import dev.policysync.cli.UsageError;
import dev.policysync.report.ReportSummary;
import dev.policysync.sync.RunId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/// Prints the one summary of a `report` run, as JSON in a job's log or as text for a person, and
/// writes the same as the container's termination message.
final class ReportSummaryOutput {
  private final Output out;
  private final Output err;
  private final RunId run;
  private final AtomicBoolean summarised = new AtomicBoolean();
  private volatile OutputFormat voice;

  /// @param voice the format: JSON, one object per line, or text
  ReportSummaryOutput(OutputFormat voice, Output out, Output err, RunId run) {
    this.voice = voice;
    this.out = out;
    this.err = err;
    this.run = run;
  }

  OutputFormat voice() {
    return voice;
  }

  void speakToAPerson() {
    voice = OutputFormat.TEXT;
  }

  /// Prints the problems with the settings.
  void refuse(List<String> problems) {
    if (voice == OutputFormat.JSON) {
      print(ReportSummary.failed(String.join("; ", problems), Duration.ZERO));
    } else if (summarised.compareAndSet(false, true)) {
      UsageError.print(err, problems);
    }
  }

  /// Prints the summary once, for the run or for a cut-off, whichever comes first.
  synchronized void print(ReportSummary summary) {
    if (!summarised.compareAndSet(false, true)) {
      return;
    }
    TerminationMessage.write(
        new TerminalText()
            .line(ReportSummaryJson.counts(summary) + ", run " + run)
            .append(summary.failure().orElse(""))
            .toString()
            .getBytes(UTF_8));
    if (voice == OutputFormat.JSON) {
      out.document(ReportSummaryJson.write(summary, run) + "\n");
    } else {
      summary.warnings().forEach(warning -> err.println("warning: " + warning));
      text(summary).ifPresent((summary.failure().isPresent() ? err : out)::println);
    }
    out.flush();
    err.flush();
  }

  /// Returns the summary as text; empty for a report that was shown, which needs no further
  /// message.
  private static Optional<String> text(ReportSummary summary) {
    return switch (summary.status()) {
      case UPLOADED -> Optional.of("Uploaded: " + ReportSummaryJson.counts(summary));
      case WRITTEN -> Optional.of("Written: " + ReportSummaryJson.counts(summary));
      case SHOWN -> Optional.empty();
      case FAILED -> Optional.of("Failed: " + summary.failure().orElse(""));
    };
  }
}
