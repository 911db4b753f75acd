package dev.policysync.cli.report;

import dev.policysync.cli.Output;
import dev.policysync.cli.OutputFormat;
import dev.policysync.cli.TextStyle;
import dev.policysync.report.CollectionFailed;
import dev.policysync.report.Findings;
import dev.policysync.report.view.FindingContext;
import dev.policysync.report.view.FindingsCsv;
import dev.policysync.report.view.FindingsJson;
import dev.policysync.report.view.FindingsPage;
import dev.policysync.report.view.Storage;
import dev.policysync.report.view.StorageJson;
import dev.policysync.report.view.UnreadableBaseline;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.Writer;

/// Writes findings to stdout in one of the formats. Only one finding at a time is in memory.
final class FindingsOutput {
  private final OutputFormat format;
  private final TextStyle textStyle;
  private final FindingContext context;
  private final Output out;

  FindingsOutput(OutputFormat format, TextStyle textStyle, FindingContext context, Output out) {
    this.format = format;
    this.textStyle = textStyle;
    this.context = context;
    this.out = out;
  }

  private interface View {
    void write(Writer to) throws IOException;
  }

  void findings(Findings findings) {
    switch (format) {
      case JSON -> write(to -> FindingsJson.write(findings, context, to));
      case CSV -> write(to -> FindingsCsv.write(findings, context, to));
      case HTML -> write(to -> FindingsPage.write(findings, context, to));
      default -> {
        out.print(FindingsText.write(findings, context, textStyle));
        checkWritten();
      }
    }
  }

  void storage(Findings findings, StorageOptions question) {
    var storage = Storage.of(findings);
    var estimate = question.estimate(storage);
    if (format == OutputFormat.JSON) {
      write(to -> StorageJson.write(storage, estimate, context.reportHeader(), to));
    } else {
      out.print(StorageText.write(storage, estimate, context.reportHeader(), textStyle));
      checkWritten();
    }
  }

  private void write(View view) {
    try {
      var to = new BufferedWriter(out.documentWriter());
      view.write(to);
      to.flush();
    } catch (IOException e) {
      throw new CollectionFailed("cannot write to stdout", e);
    } catch (UnreadableBaseline e) {
      throw new CollectionFailed("--since: " + e.getMessage(), e);
    }
    checkWritten();
  }

  /// Throws if a write failed, because an incomplete output must not look like all findings.
  private void checkWritten() {
    if (out.failed()) {
      throw new CollectionFailed(
          "stdout could not be written completely: the disk is full, or the reader closed the"
              + " pipe");
    }
  }
}
