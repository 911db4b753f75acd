package dev.policysync.report.view;

import dev.policysync.base.Printable;
import dev.policysync.report.Finding;
import dev.policysync.report.Findings;
import java.io.IOException;
import java.io.Writer;
import java.util.List;

/// One finding a row, as RFC 4180 has it: commas, quotes where needed, lines that end in CR LF, and
/// names of the columns first. Written as the findings come.
///
/// What is in a report anybody may have written who may create a Pod with a name, and spreadsheets
/// run what looks like a formula. So a text that begins like one gets an apostrophe before it
/// (<https://owasp.org/www-community/attacks/CSV_Injection>); JSON has the texts as they are.
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

  /// Writes the header and a row for each finding.
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

  /// Semicolons and tabs, too: some spreadsheets take them for separators.
  private static String quoted(String text) {
    return text.chars().anyMatch(character -> "\",;\t\r\n".indexOf(character) >= 0)
        ? "\"" + text.replace("\"", "\"\"") + "\""
        : text;
  }
}
