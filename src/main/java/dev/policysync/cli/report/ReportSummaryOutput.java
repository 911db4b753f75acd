package dev.policysync.cli.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.cli.OutputFormat;
import dev.policysync.cli.TerminationMessage;
import dev.policysync.cli.UsageError;
import dev.policysync.report.ReportSummary;
import dev.policysync.sync.RunId;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/// What a run of `report` says of itself: one summary, as JSON in a job's log or as text to a
/// person, and the same as the container's termination message.
final class ReportSummaryOutput {
  private final PrintStream out;
  private final PrintStream err;
  private final RunId run;
  private final AtomicBoolean summarised = new AtomicBoolean();
  private volatile OutputFormat voice;

  /// @param voice JSON, one object a line, or text
  ReportSummaryOutput(OutputFormat voice, PrintStream out, PrintStream err, RunId run) {
    this.voice = voice;
    this.out = out;
    this.err = err;
    this.run = run;
  }

  OutputFormat voice() {
    return voice;
  }

  /// From now on it is text.
  void speakToAPerson() {
    voice = OutputFormat.TEXT;
  }

  /// Says what is wrong with the settings.
  void refuse(List<String> problems) {
    if (voice == OutputFormat.JSON) {
      print(ReportSummary.failed(String.join("; ", problems), Duration.ZERO));
    } else if (summarised.compareAndSet(false, true)) {
      UsageError.print(err, problems);
    }
  }

  /// Whoever comes first, the run or who ends it: there is one summary.
  synchronized void print(ReportSummary summary) {
    if (!summarised.compareAndSet(false, true)) {
      return;
    }
    TerminationMessage.leave(
        (ReportSummaryJson.counts(summary) + ", run " + run + "\n" + summary.failure().orElse(""))
            .getBytes(UTF_8));
    if (voice == OutputFormat.JSON) {
      out.print(ReportSummaryJson.write(summary, run) + "\n");
    } else {
      (summary.failure().isPresent() ? err : out).print(text(summary));
    }
    out.flush();
    err.flush();
  }

  /// Of what was shown there is nothing more to say.
  private static String text(ReportSummary summary) {
    return switch (summary.status()) {
      case UPLOADED -> "Uploaded: " + ReportSummaryJson.counts(summary) + "\n";
      case WRITTEN -> "Written: " + ReportSummaryJson.counts(summary) + "\n";
      case SHOWN -> "";
      case FAILED -> "Failed: " + summary.failure().orElse("") + "\n";
    };
  }
}
