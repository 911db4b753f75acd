package dev.policysync.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.report.CollectionFailed;
import dev.policysync.report.Findings;
import dev.policysync.view.FindingsCsv;
import dev.policysync.view.FindingsJson;
import dev.policysync.view.FindingsPage;
import dev.policysync.view.Occasion;
import dev.policysync.view.Storage;
import dev.policysync.view.StorageJson;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.Writer;

/// Shows findings on stdout in one of the formats; however many there are, one at a time is in
/// memory.
final class FindingsOutput {
  private final OutputFormat format;
  private final Style style;
  private final Occasion occasion;
  private final PrintStream out;

  FindingsOutput(OutputFormat format, Style style, Occasion occasion, PrintStream out) {
    this.format = format;
    this.style = style;
    this.occasion = occasion;
    this.out = out;
  }

  /// Writes a view into a stream.
  private interface View {
    void write(Writer to) throws IOException;
  }

  void findings(Findings findings) {
    switch (format) {
      case JSON -> write(to -> FindingsJson.write(findings, occasion, to));
      case CSV -> write(to -> FindingsCsv.write(findings, to));
      case HTML -> write(to -> FindingsPage.write(findings, occasion, to));
      default -> write(to -> to.write(FindingsText.write(findings, occasion, style)));
    }
  }

  void storage(Findings findings, StorageQuestion question) {
    var storage = Storage.of(findings);
    var estimate = question.estimate(storage);
    write(to -> {
      if (format == OutputFormat.JSON) {
        StorageJson.write(storage, estimate, occasion, to);
      } else {
        to.write(StorageText.write(storage, estimate, occasion, style));
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
    }
    if (out.checkError()) {
      throw new CollectionFailed(
          "stdout did not take all of it: the disk is full, or its reader has gone");
    }
  }
}
