package dev.policysync.report.view;

import java.io.IOException;

/// Writes the page's section on findings of an earlier report that are gone.
final class GoneFindings {
  private final HtmlWriter htmlWriter;
  private final PolicyIndex policyIndex;
  private final Comparison comparison;
  private int rows;

  GoneFindings(HtmlWriter htmlWriter, PolicyIndex policyIndex, Comparison comparison) {
    this.htmlWriter = htmlWriter;
    this.policyIndex = policyIndex;
    this.comparison = comparison;
  }

  /// Writes the numbers of new and gone findings for the top of the page.
  void headline() throws IOException {
    htmlWriter
        .raw("\n<p class=\"change\"><span")
        .raw(comparison.added() == 0 ? "" : " data-filter=\"change\" data-value=\"1\"")
        .raw(">" + DisplayText.count(comparison.added()) + " new</span> and <a href=\"#gone\">")
        .raw(DisplayText.count(comparison.gone()) + " gone</a> since ");
    since();
    htmlWriter.raw("</p>");
  }

  /// Writes the section with the first [CountTable#ROWS] findings that are gone.
  void section() throws IOException {
    htmlWriter
        .raw("<section class=\"card\" aria-labelledby=\"gone\">\n<h2 id=\"gone\" tabindex=\"-1\">")
        .raw("Gone since ");
    since();
    htmlWriter.raw("</h2>\n");
    if (comparison.gone() == 0) {
      htmlWriter.raw("<p>None: whatever was found then is found now.</p>\n");
    } else {
      table();
    }
    htmlWriter.raw("</section>");
  }

  private void table() throws IOException {
    htmlWriter
        .raw("<div class=\"counts\" role=\"region\" aria-label=\"Table of what is gone\"")
        .raw(
            " tabindex=\"0\">\n<table class=\"plain\">\n<thead><tr><th scope=\"col\">Severity</th>")
        .raw("<th scope=\"col\">Policy and rule</th><th scope=\"col\">Resource</th>")
        .raw("<th scope=\"col\" class=\"optional\">First seen</th></tr></thead>\n<tbody>\n");
    comparison.gone(this::row);
    htmlWriter.raw("</tbody>\n</table>\n</div>\n");
    if (comparison.gone() > CountTable.ROWS) {
      htmlWriter
          .raw("<p class=\"muted\">The first " + DisplayText.count(CountTable.ROWS) + " of ")
          .raw(DisplayText.count(comparison.gone()) + "; JSON has all of them.</p>\n");
    }
  }

  private void row(EarlierFinding finding) throws IOException {
    if (rows++ >= CountTable.ROWS) {
      return;
    }
    var resource = finding.kind() + (finding.namespace().isEmpty() ? "" : " in ");
    htmlWriter
        .raw("<tr><td>")
        .text(finding.severity())
        .raw("</td><td>")
        .text(policyIndex.label(finding.source(), finding.policy()))
        .below(finding.title().equals(finding.policy()) ? "" : finding.title())
        .below(finding.rule())
        .raw("</td><td>")
        .text(finding.name())
        .below(resource + finding.namespace())
        .raw("</td><td class=\"optional\">")
        .text(finding.firstSeen().map(DisplayText::minute).orElse(Owners.UNKNOWN))
        .raw("</td></tr>\n");
  }

  private void since() throws IOException {
    htmlWriter
        .raw("<time datetime=\"" + comparison.since() + "\">")
        .raw(DisplayText.minute(comparison.since()))
        .raw("</time>");
  }
}
