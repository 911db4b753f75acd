package dev.policysync.cli.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.cli.OutputFormat;
import dev.policysync.cli.TextStyle;
import dev.policysync.report.finding.CollectionFailed;
import dev.policysync.report.finding.Findings;
import dev.policysync.view.FindingContext;
import dev.policysync.view.FindingsCsv;
import dev.policysync.view.FindingsJson;
import dev.policysync.view.FindingsPage;
import dev.policysync.view.Storage;
import dev.policysync.view.StorageJson;
import dev.policysync.view.baseline.UnreadableBaseline;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.Writer;

/// Shows findings on stdout in one of the formats; however many there are, one at a time is in
/// memory.
final class FindingsOutput {
  private final OutputFormat format;
  private final TextStyle textStyle;
  private final FindingContext context;
  private final PrintStream out;

  FindingsOutput(
      OutputFormat format, TextStyle textStyle, FindingContext context, PrintStream out) {
    this.format = format;
    this.textStyle = textStyle;
    this.context = context;
    this.out = out;
  }

  /// Writes a view into a stream.
  private interface View {
    void write(Writer to) throws IOException;
  }

  void findings(Findings findings) {
    switch (format) {
      case JSON -> write(to -> FindingsJson.write(findings, context, to));
      case CSV -> write(to -> FindingsCsv.write(findings, context, to));
      case HTML -> write(to -> FindingsPage.write(findings, context, to));
      default -> write(to -> to.write(FindingsText.write(findings, context, textStyle)));
    }
  }

  void storage(Findings findings, StorageOptions question) {
    var storage = Storage.of(findings);
    var estimate = question.estimate(storage);
    write(to -> {
      if (format == OutputFormat.JSON) {
        StorageJson.write(storage, estimate, context.reportHeader(), to);
      } else {
        to.write(StorageText.write(storage, estimate, context.reportHeader(), textStyle));
      }
    });
  }

  /// A print stream keeps its errors to itself. Half a page must not pass for all findings.
  private void write(View view) {
    try {
      var to = new BufferedWriter(new OutputStreamWriter(out, UTF_8));
      view.write(to);
      to.flush();
    } catch (IOException e) {
      throw new CollectionFailed("cannot write to stdout", e);
    } catch (UnreadableBaseline e) {
      throw new CollectionFailed("--since: " + e.getMessage(), e);
    }
    if (out.checkError()) {
      throw new CollectionFailed(
          "stdout could not be written completely: the disk is full, or the reader closed the"
              + " pipe");
    }
  }
}
