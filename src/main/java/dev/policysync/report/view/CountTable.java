package dev.policysync.report.view;

import dev.policysync.report.ReportedPolicy;
import dev.policysync.report.ResultCounts;
import dev.policysync.report.Totals;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Writes the page's tables of counts, with a row and a bar for each policy, namespace, severity
/// and category.
final class CountTable {
  /// The maximum number of rows: a table of the worst needs no more.
  static final int ROWS = 200;

  private final HtmlWriter htmlWriter;
  private final PolicyIndex policyIndex;

  CountTable(HtmlWriter htmlWriter, PolicyIndex policyIndex) {
    this.htmlWriter = htmlWriter;
    this.policyIndex = policyIndex;
  }

  /// Writes a table of findings by a property with few values, e.g. severity.
  void small(String what, Map<?, ResultCounts> counts) throws IOException {
    var most = counts.values().stream().mapToLong(ResultCounts::findings).max().orElse(0);
    htmlWriter
        .raw("<table class=\"small\">\n<thead><tr><th scope=\"col\">")
        .raw(what)
        .raw("</th><th scope=\"col\" class=\"number\">Findings</th>")
        .raw("<th scope=\"col\"><span class=\"unseen\">Share</span></th></tr></thead>\n<tbody>\n");
    for (var entry : counts.entrySet()) {
      htmlWriter.raw("<tr><th scope=\"row\">").text(entry.getKey().toString()).raw("</th>");
      number("", entry.getValue().findings());
      bar(entry.getValue(), most);
      htmlWriter.raw("</tr>\n");
    }
    htmlWriter.raw("</tbody>\n</table>");
  }

  void policies(List<Totals.OfPolicy> policies) throws IOException {
    var most = policies.stream().mapToLong(of -> of.resultCounts().findings()).max().orElse(0);
    begin("policies", "Policy");
    for (var of : policies.subList(0, Math.min(ROWS, policies.size()))) {
      htmlWriter.raw("<tr><th scope=\"row\">");
      policy(of.policy(), of.resultCounts().findings() > 0);
      htmlWriter.raw("</th>");
      counts(of.resultCounts(), most);
      htmlWriter.raw("</tr>\n");
    }
    end(policies.size(), "policies");
  }

  void namespaces(List<Totals.OfNamespace> namespaces) throws IOException {
    var most = namespaces.stream().mapToLong(of -> of.resultCounts().findings()).max().orElse(0);
    begin("namespaces", "Namespace");
    var number = 0;
    for (var of : namespaces.subList(0, Math.min(ROWS, namespaces.size()))) {
      htmlWriter.raw("<tr><th scope=\"row\"");
      if (of.resultCounts().findings() > 0) {
        filter("namespace", number++);
      }
      htmlWriter.raw(">").text(DisplayText.namespace(of.namespace())).raw("</th>");
      counts(of.resultCounts(), most);
      htmlWriter.raw("</tr>\n");
    }
    end(namespaces.size(), "namespaces");
  }

  private void begin(String section, String what) throws IOException {
    htmlWriter
        .raw("<div class=\"counts\" role=\"region\" aria-label=\"Table of ")
        .raw(section)
        .raw("\" tabindex=\"0\">\n<table>\n<thead><tr><th scope=\"col\">")
        .raw(what)
        .raw("</th><th scope=\"col\" class=\"number\">Findings</th>")
        .raw("<th scope=\"col\"><span class=\"unseen\">Share</span></th>");
    for (var column : List.of("Fail", "Error", "Warn", "Pass")) {
      htmlWriter.raw("<th scope=\"col\" class=\"number optional\">").raw(column).raw("</th>");
    }
    htmlWriter.raw("</tr></thead>\n<tbody>\n");
  }

  private void end(int rows, String what) throws IOException {
    htmlWriter.raw("</tbody>\n</table>\n</div>");
    if (rows > ROWS) {
      htmlWriter
          .raw("\n<p class=\"muted\">The first ")
          .raw(DisplayText.count(ROWS))
          .raw(" of ")
          .raw(DisplayText.count(rows))
          .raw(" " + what + ".</p>");
    }
  }

  private void policy(ReportedPolicy policy, boolean found) throws IOException {
    htmlWriter
        .raw("<details><summary>")
        .text(policyIndex.label(policy))
        .below(DisplayText.title(policy))
        .raw("</summary>");
    var origin =
        Optional.of(policy.source()).filter(source -> !source.isEmpty()).orElse("unknown")
            + policy.id().map(id -> ", " + id).orElse("");
    htmlWriter.raw("<p class=\"muted\">Source: ").text(origin).raw("</p>");
    paragraph("", policy.description());
    paragraph("<strong>What to do:</strong> ", policy.remediation());
    if (policy.link().isPresent()) {
      htmlWriter.raw("<p>Read on: ").link(policy.link().get()).raw("</p>");
    }
    if (found) {
      htmlWriter.raw("<p");
      filter("policy", policyIndex.number(policy));
      htmlWriter.raw("></p>");
    }
    htmlWriter.raw("</details>");
  }

  private void paragraph(String before, String text) throws IOException {
    if (!text.isBlank()) {
      htmlWriter.raw("<p>").raw(before).text(text.strip()).raw("</p>");
    }
  }

  /// Writes the attributes from which the page's script makes a filter.
  private void filter(String filter, int value) throws IOException {
    htmlWriter.raw(" data-filter=\"" + filter + "\" data-value=\"" + value + "\"");
  }

  private void counts(ResultCounts resultCounts, long most) throws IOException {
    number("", resultCounts.findings());
    bar(resultCounts, most);
    number(" optional", resultCounts.fail());
    number(" optional", resultCounts.error());
    number(" optional", resultCounts.warn());
    number(" optional", resultCounts.pass());
  }

  private void bar(ResultCounts resultCounts, long most) throws IOException {
    htmlWriter.raw("<td>");
    BarChart.ofFindings(htmlWriter, resultCounts, most);
    htmlWriter.raw("</td>");
  }

  private void number(String more, long number) throws IOException {
    htmlWriter
        .raw("<td class=\"number" + more + (number == 0 ? " zero" : "") + "\">")
        .raw(DisplayText.count(number))
        .raw("</td>");
  }
}
