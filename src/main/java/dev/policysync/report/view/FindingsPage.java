package dev.policysync.report.view;

import dev.policysync.report.Findings;
import dev.policysync.report.Totals;
import java.io.IOException;
import java.io.Writer;

/// Writes all findings as one self-contained HTML page: it needs no network and no server, and
/// JavaScript only for filters. Findings are streamed, so memory usage is constant; see
/// `docs/report-views.md`.
public final class FindingsPage {
  private static final Template PAGE = new Template("page.html");
  private static final String STYLE = Template.read("page.css");
  private static final String SCRIPT = Template.read("page.js");

  private final Findings findings;
  private final Totals totals;
  private final FindingContext context;
  private final ReportHeader reportHeader;
  private final HtmlWriter htmlWriter;
  private final PolicyIndex policyIndex;
  private final CountTable counts;

  private FindingsPage(Findings findings, FindingContext context, Writer out) {
    this.findings = findings;
    this.totals = findings.totals();
    this.context = context;
    this.reportHeader = context.reportHeader();
    this.htmlWriter = new HtmlWriter(out);
    this.policyIndex = new PolicyIndex(totals);
    this.counts = new CountTable(htmlWriter, policyIndex);
  }

  /// Writes the page. The writer must encode in UTF-8, as the page declares.
  public static void write(Findings findings, FindingContext context, Writer out)
      throws IOException {
    var page = new FindingsPage(findings, context, out);
    PAGE.write(page.htmlWriter, page::fill);
  }

  private void fill(String place) throws IOException {
    switch (place) {
      case "content-security-policy" -> htmlWriter.raw(ContentSecurityPolicy.of(SCRIPT, STYLE));
      case "title" -> htmlWriter.text(title());
      case "style" -> htmlWriter.raw(STYLE);
      case "script" -> htmlWriter.raw(SCRIPT);
      case "header" -> header();
      case "notice" -> notice();
      case "results" -> results();
      case "severities" -> counts.small("Severity", totals.severities());
      case "categories" -> counts.small("Category", totals.categories());
      case "policies" -> counts.policies(totals.policies());
      case "namespaces" -> counts.namespaces(totals.namespaces());
      case "first-findings" -> firstFindings();
      case "rows" -> new FindingRows(htmlWriter, policyIndex, context).write(findings);
      case "gone" -> gone();
      case "footer" -> footer();
      case "data" -> new EmbeddedJson(htmlWriter, policyIndex, context).write(findings);
      default -> throw new IllegalStateException("unknown placeholder in page.html: " + place);
    }
  }

  private String title() {
    return "Policy findings"
        + (reportHeader.cluster().isEmpty() ? "" : " in " + reportHeader.cluster());
  }

  private void header() throws IOException {
    htmlWriter.raw("<h1>").text(title()).raw("</h1>\n<p class=\"muted\"><time datetime=\"");
    htmlWriter
        .raw(reportHeader.at().toString())
        .raw("\">")
        .raw(DisplayText.minute(reportHeader.at()))
        .raw("</time>, from the cluster's policy reports</p>");
  }

  private void notice() throws IOException {
    var coverage = Coverage.of(findings);
    if (coverage.saysNothing()) {
      htmlWriter
          .raw("<p class=\"notice\"><strong>")
          .text(coverage.meaning())
          .raw("</strong> ")
          .text(coverage.advice())
          .raw("</p>");
    }
  }

  private void results() throws IOException {
    var all = totals.all();
    htmlWriter.raw(
        "<p class=\"headline\"><strong>" + DisplayText.count(all.findings()) + "</strong> ");
    htmlWriter
        .raw(all.findings() == 1 ? "finding in " : "findings in ")
        .raw(DisplayText.counted(all.total(), "result"))
        .raw("</p>\n");
    BarChart.ofResults(htmlWriter, all);
    htmlWriter.raw("\n<dl class=\"key\">");
    key("fail", "fail", all.fail());
    key("error", "error", all.error());
    key("warn", "warn", all.warn());
    key("pass", "pass", all.pass());
    key("skipped", "skip", all.skip());
    htmlWriter.raw("</dl>");
    if (context.comparison().isPresent()) {
      new GoneFindings(htmlWriter, policyIndex, context.comparison().get()).headline();
    }
  }

  private void key(String mark, String word, long count) throws IOException {
    htmlWriter
        .raw("<div><dt class=\"" + mark + "\">" + word + "</dt><dd>")
        .raw(DisplayText.count(count))
        .raw("</dd></div>");
  }

  private void firstFindings() throws IOException {
    var all = totals.all().findings();
    htmlWriter.raw(
        all > FindingRows.ROWS
            ? "The first "
                + DisplayText.count(FindingRows.ROWS)
                + " of "
                + DisplayText.counted(all, "finding")
                + "; enable JavaScript to see the others"
            : DisplayText.counted(all, "finding"));
  }

  private void gone() throws IOException {
    if (context.comparison().isPresent()) {
      new GoneFindings(htmlWriter, policyIndex, context.comparison().get()).section();
    }
  }

  private void footer() throws IOException {
    htmlWriter
        .raw("<p>Generated by ")
        .text(reportHeader.program())
        .raw(
            ". Each result is counted once: Pods with their controller, and only the newest result")
        .raw(" per rule and resource. ")
        .raw(
            context.comparison().isPresent()
                ? "Age counts from when a finding was first seen, by this report or earlier ones."
                : "Age counts from the last evaluation; compare with an earlier report (--since) to"
                    + " have it count from when a finding was first seen.");
    if (context.owners().isPresent()) {
      htmlWriter
          .raw(" The owner is the label ")
          .text(context.owners().get().label())
          .raw(" of the namespace.");
    }
    htmlWriter.raw("</p>");
    var remarks = DisplayText.remarks(findings, context);
    if (!remarks.isEmpty()) {
      htmlWriter.raw("\n<ul>");
      for (var remark : remarks) {
        htmlWriter.raw("<li>").text(remark).raw("</li>");
      }
      htmlWriter.raw("</ul>");
    }
  }
}
