package dev.policysync.view;

import dev.policysync.report.Finding;
import dev.policysync.report.Findings;
import java.io.IOException;

/// The first findings as plain table rows, for browsers without JavaScript. The page's script makes
/// rows of the same form (`row`).
final class FindingRows {
  /// How many there are without JavaScript.
  static final int ROWS = 500;

  private final Html html;

  FindingRows(Html html) {
    this.html = html;
  }

  void write(Findings findings) throws IOException {
    try (var stream = findings.stream()) {
      for (var finding : (Iterable<Finding>) stream.limit(ROWS)::iterator) {
        row(finding);
      }
    }
  }

  private void row(Finding finding) throws IOException {
    html.raw("<tr><td>");
    mark("badge", finding.severity().toString()).below(finding.category().toString());
    html.raw("</td><td>");
    mark("result", finding.result().toString());
    html.raw("</td><td>").text(finding.policy().name()).below(finding.rule());
    html.raw("</td><td>").text(finding.resource().name()).below(Words.kind(finding.resource()));
    if (finding.pods() > 0) {
      html.below("and " + Words.count(finding.pods()) + " that it controls");
    }
    html.raw("</td><td class=\"message\">").text(finding.message().text());
    if (finding.message().cut()) {
      html.below("The message is longer; this is its beginning.");
    }
    html.raw("</td></tr>\n");
  }

  /// @param name also a class of the style sheet
  private Html mark(String kind, String name) throws IOException {
    return html.raw("<span class=\"" + kind + " ").text(name).raw("\">").text(name).raw("</span>");
  }
}
