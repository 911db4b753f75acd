package dev.policysync.report.view;

import dev.policysync.report.Finding;
import dev.policysync.report.Findings;
import java.io.IOException;

/// Writes the first findings as plain table rows, for browsers without JavaScript. The page's
/// script creates rows of the same form (`row`).
final class FindingRows {
  /// The maximum number of rows without JavaScript.
  static final int ROWS = 500;

  private final HtmlWriter htmlWriter;
  private final PolicyIndex policyIndex;
  private final FindingContext context;

  FindingRows(HtmlWriter htmlWriter, PolicyIndex policyIndex, FindingContext context) {
    this.htmlWriter = htmlWriter;
    this.policyIndex = policyIndex;
    this.context = context;
  }

  void write(Findings findings) throws IOException {
    try (var stream = findings.stream()) {
      for (var finding : (Iterable<Finding>) stream.limit(ROWS)::iterator) {
        row(finding);
      }
    }
  }

  private void row(Finding finding) throws IOException {
    htmlWriter.raw("<tr><td>");
    mark("badge", finding.severity().toString()).below(finding.category().toString());
    htmlWriter.raw("</td><td>");
    mark("result", finding.result().toString());
    htmlWriter
        .raw("</td><td>")
        .text(policyIndex.label(finding.policy()))
        .below(DisplayText.title(finding.policy()))
        .below(finding.rule());
    htmlWriter
        .raw("</td><td>")
        .text(finding.resource().name())
        .below(DisplayText.kind(finding.resource()));
    if (finding.pods() > 0) {
      htmlWriter.below("and " + DisplayText.count(finding.pods()) + " controlled resources");
    }
    if (context.owners().isPresent()) {
      htmlWriter.below("owner: " + context.owner(finding).orElse(Owners.UNKNOWN));
    }
    htmlWriter.raw("</td><td>");
    age(finding);
    htmlWriter.raw("</td><td class=\"message\">").text(finding.resultMessage().text());
    if (finding.resultMessage().cut()) {
      htmlWriter.below("Message truncated.");
    }
    htmlWriter.raw("</td></tr>\n");
  }

  private void age(Finding finding) throws IOException {
    if (context.isNew(finding).orElse(false)) {
      mark("badge", "new");
    } else {
      htmlWriter
          .raw("<time datetime=\"" + context.firstSeen(finding) + "\">")
          .raw(DisplayText.age(context.age(finding)))
          .raw("</time>");
    }
  }

  /// @param name the text, which is also a class in the style sheet
  private HtmlWriter mark(String kind, String name) throws IOException {
    return htmlWriter
        .raw("<span class=\"" + kind + " ")
        .text(name)
        .raw("\">")
        .text(name)
        .raw("</span>");
  }
}
