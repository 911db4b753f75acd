package dev.policysync.report.view;

import dev.policysync.base.Printable;
import dev.policysync.report.Finding;
import dev.policysync.report.Findings;
import java.io.IOException;
import java.io.Writer;
import java.util.List;

/// Writes the findings as CSV according to RFC 4180, one per row: commas, quotes if needed, lines
/// that end with CR LF, and a header with the names of the columns. Rows are streamed.
///
/// Anyone who may create a Pod can put text into a report, and spreadsheets execute a text that
/// looks like a formula. So an apostrophe is added in front of such a text
/// (<https://owasp.org/www-community/attacks/CSV_Injection>). JSON contains the unchanged text.
public final class FindingsCsv {
  private static final List<String> COLUMNS =
      List.of(
          "severity",
          "result",
          "category",
          "policy",
          "source",
          "title",
          "rule",
          "namespace",
          "kind",
          "name",
          "apiVersion",
          "uid",
          "message",
          "messageCut",
          "seen",
          "pods",
          "firstSeen",
          "new",
          "owner");

  private static final String FORMULA = "=+-@\t\r\n";

  private FindingsCsv() {}

  public static void write(Findings findings, FindingContext context, Writer out)
      throws IOException {
    row(COLUMNS, out);
    try (var stream = findings.stream()) {
      for (var finding : (Iterable<Finding>) stream::iterator) {
        row(cells(finding, context), out);
      }
    }
  }

  private static List<String> cells(Finding finding, FindingContext context) {
    var policy = finding.policy();
    var resource = finding.resource();
    return List.of(
        finding.severity().toString(),
        finding.result().toString(),
        finding.category().toString(),
        policy.name(),
        policy.source(),
        policy.title(),
        finding.rule(),
        resource.namespace(),
        resource.kind(),
        resource.name(),
        resource.apiVersion(),
        resource.uid(),
        finding.resultMessage().text(),
        String.valueOf(finding.resultMessage().cut()),
        finding.seen().map(Object::toString).orElse(""),
        String.valueOf(finding.pods()),
        context.firstSeen(finding).toString(),
        context.isNew(finding).map(String::valueOf).orElse(""),
        context.owner(finding).orElse(""));
  }

  private static void row(List<String> cells, Writer out) throws IOException {
    var separator = "";
    for (var cell : cells) {
      out.write(separator);
      out.write(quoted(Printable.withoutCommands(harmless(cell))));
      separator = ",";
    }
    out.write("\r\n");
  }

  private static String harmless(String text) {
    return text.isEmpty() || FORMULA.indexOf(text.charAt(0)) < 0 ? text : "'" + text;
  }

  /// Quotes cells with semicolons or tabs, too, because some spreadsheets read them as separators.
  private static String quoted(String text) {
    return text.chars().anyMatch(character -> "\",;\t\r\n".indexOf(character) >= 0)
        ? "\"" + text.replace("\"", "\"\"") + "\""
        : text;
  }
}
