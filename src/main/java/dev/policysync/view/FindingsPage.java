package dev.policysync.view;

import dev.policysync.report.Findings;
import dev.policysync.report.Totals;
import java.io.IOException;
import java.io.Writer;

/// All findings as one HTML page that needs nothing else: no network, no server, and JavaScript
/// only to filter. It is written as the findings come, in flat memory; see `docs/report-views.md`.
public final class FindingsPage {
  private static final Template PAGE = new Template("page.html");
  private static final String STYLE = Template.read("page.css");
  private static final String SCRIPT = Template.read("page.js");

  private final Findings findings;
  private final Totals totals;
  private final Occasion occasion;
  private final Html html;
  private final Index index;
  private final CountTable counts;

  private FindingsPage(Findings findings, Occasion occasion, Writer out) {
    this.findings = findings;
    this.totals = findings.totals();
    this.occasion = occasion;
    this.html = new Html(out);
    this.index = new Index(totals);
    this.counts = new CountTable(html, index);
  }

  /// Writes the page; the writer encodes in UTF-8, as the page says of itself.
  public static void write(Findings findings, Occasion occasion, Writer out) throws IOException {
    var page = new FindingsPage(findings, occasion, out);
    PAGE.write(page.html, page::fill);
  }

  private void fill(String place) throws IOException {
    switch (place) {
      case "content-security-policy" -> html.raw(ContentSecurityPolicy.of(SCRIPT, STYLE));
      case "title" -> html.text(title());
      case "style" -> html.raw(STYLE);
      case "script" -> html.raw(SCRIPT);
      case "header" -> header();
      case "notice" -> notice();
      case "results" -> results();
      case "severities" -> counts.small("Severity", totals.severities());
      case "categories" -> counts.small("Category", totals.categories());
      case "policies" -> counts.policies(totals.policies());
      case "namespaces" -> counts.namespaces(totals.namespaces());
      case "first-findings" -> firstFindings();
      case "rows" -> new FindingRows(html).write(findings);
      case "footer" -> footer();
      case "data" -> new Islands(html, index).write(findings);
      default -> throw new IllegalStateException("page.html has an unknown place " + place);
    }
  }

  private String title() {
    return "Policy findings" + (occasion.cluster().isEmpty() ? "" : " in " + occasion.cluster());
  }

  private void header() throws IOException {
    html.raw("<h1>").text(title()).raw("</h1>\n<p class=\"muted\"><time datetime=\"");
    html.raw(occasion.at().toString())
        .raw("\">")
        .raw(Words.minute(occasion.at()))
        .raw("</time>, from the cluster's policy reports</p>");
  }

  private void notice() throws IOException {
    var coverage = Coverage.of(findings);
    if (coverage.saysNothing()) {
      html.raw("<p class=\"notice\"><strong>")
          .text(coverage.meaning())
          .raw("</strong> ")
          .text(coverage.advice())
          .raw("</p>");
    }
  }

  private void results() throws IOException {
    var all = totals.all();
    html.raw("<p class=\"headline\"><strong>" + Words.count(all.findings()) + "</strong> ");
    html.raw(all.findings() == 1 ? "finding among " : "findings among ")
        .raw(Words.counted(all.total(), "result"))
        .raw("</p>\n");
    Bar.ofResults(html, all);
    html.raw("\n<dl class=\"key\">");
    key("fail", "fail", all.fail());
    key("error", "error", all.error());
    key("warn", "warn", all.warn());
    key("pass", "pass", all.pass());
    key("skipped", "skip", all.skip());
    html.raw("</dl>");
  }

  private void key(String mark, String word, long count) throws IOException {
    html.raw("<div><dt class=\"" + mark + "\">" + word + "</dt><dd>")
        .raw(Words.count(count))
        .raw("</dd></div>");
  }

  private void firstFindings() throws IOException {
    var all = totals.all().findings();
    html.raw(
        all > FindingRows.ROWS
            ? "The first "
                + Words.count(FindingRows.ROWS)
                + " of "
                + Words.counted(all, "finding")
                + "; the others need JavaScript"
            : Words.counted(all, "finding"));
  }

  private void footer() throws IOException {
    html.raw("<p>Written by ")
        .text(occasion.program())
        .raw(". Each thing is counted once: Pods with their controller, the newest result of a")
        .raw(" rule and resource only.</p>");
    var remarks = Words.remarks(findings.remarks());
    if (!remarks.isEmpty()) {
      html.raw("\n<ul>");
      for (var remark : remarks) {
        html.raw("<li>").text(remark).raw("</li>");
      }
      html.raw("</ul>");
    }
  }
}
