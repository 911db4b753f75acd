package dev.policysync.view;

import dev.policysync.report.Counts;
import dev.policysync.report.ReportedPolicy;
import dev.policysync.report.Totals;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The page's tables of counts: a row and a bar for each policy, namespace, severity and category.
final class CountTable {
  /// Rows of a table; what a cluster has more of is of no use in a table of the worst.
  static final int ROWS = 200;

  private final Html html;
  private final Index index;

  CountTable(Html html, Index index) {
    this.html = html;
    this.index = index;
  }

  /// Findings by something that there are few of.
  void small(String what, Map<?, Counts> counts) throws IOException {
    var most = counts.values().stream().mapToLong(Counts::findings).max().orElse(0);
    html.raw("<table class=\"small\">\n<thead><tr><th scope=\"col\">")
        .raw(what)
        .raw("</th><th scope=\"col\" class=\"number\">Findings</th>")
        .raw("<th scope=\"col\"><span class=\"unseen\">Share</span></th></tr></thead>\n<tbody>\n");
    for (var entry : counts.entrySet()) {
      html.raw("<tr><th scope=\"row\">").text(entry.getKey().toString()).raw("</th>");
      number("", entry.getValue().findings());
      bar(entry.getValue(), most);
      html.raw("</tr>\n");
    }
    html.raw("</tbody>\n</table>");
  }

  void policies(List<Totals.OfPolicy> policies) throws IOException {
    var most = policies.stream().mapToLong(of -> of.counts().findings()).max().orElse(0);
    begin("policies", "Policy");
    for (var of : policies.subList(0, Math.min(ROWS, policies.size()))) {
      html.raw("<tr><th scope=\"row\">");
      policy(of.policy(), of.counts().findings() > 0);
      html.raw("</th>");
      counts(of.counts(), most);
      html.raw("</tr>\n");
    }
    end(policies.size(), "policies");
  }

  void namespaces(List<Totals.OfNamespace> namespaces) throws IOException {
    var most = namespaces.stream().mapToLong(of -> of.counts().findings()).max().orElse(0);
    begin("namespaces", "Namespace");
    var number = 0;
    for (var of : namespaces.subList(0, Math.min(ROWS, namespaces.size()))) {
      html.raw("<tr><th scope=\"row\"");
      if (of.counts().findings() > 0) {
        filter("namespace", number++);
      }
      html.raw(">").text(Words.namespace(of.namespace())).raw("</th>");
      counts(of.counts(), most);
      html.raw("</tr>\n");
    }
    end(namespaces.size(), "namespaces");
  }

  private void begin(String section, String what) throws IOException {
    html.raw("<div class=\"counts\" role=\"region\" aria-label=\"Table of ")
        .raw(section)
        .raw("\" tabindex=\"0\">\n<table>\n<thead><tr><th scope=\"col\">")
        .raw(what)
        .raw("</th><th scope=\"col\" class=\"number\">Findings</th>")
        .raw("<th scope=\"col\"><span class=\"unseen\">Share</span></th>");
    for (var column : List.of("Fail", "Error", "Warn", "Pass")) {
      html.raw("<th scope=\"col\" class=\"number optional\">").raw(column).raw("</th>");
    }
    html.raw("</tr></thead>\n<tbody>\n");
  }

  private void end(int rows, String what) throws IOException {
    html.raw("</tbody>\n</table>\n</div>");
    if (rows > ROWS) {
      html.raw("\n<p class=\"muted\">The first ")
          .raw(Words.count(ROWS))
          .raw(" of ")
          .raw(Words.count(rows))
          .raw(" " + what + ".</p>");
    }
  }

  private void policy(ReportedPolicy policy, boolean found) throws IOException {
    html.raw("<details><summary>").text(index.label(policy)).raw("</summary>");
    if (!policy.title().equals(policy.name())) {
      html.raw("<p><strong>").text(policy.title()).raw("</strong></p>");
    }
    var origin =
        Optional.of(policy.source()).filter(source -> !source.isEmpty()).orElse("unknown")
            + policy.id().map(id -> ", " + id).orElse("");
    html.raw("<p class=\"muted\">Source: ").text(origin).raw("</p>");
    paragraph("", policy.description());
    paragraph("<strong>What to do:</strong> ", policy.remediation());
    if (found) {
      html.raw("<p");
      filter("policy", index.number(policy));
      html.raw("></p>");
    }
    html.raw("</details>");
  }

  private void paragraph(String before, String text) throws IOException {
    if (!text.isBlank()) {
      html.raw("<p>").raw(before).text(text.strip()).raw("</p>");
    }
  }

  /// For the script: what shows these findings.
  private void filter(String filter, int value) throws IOException {
    html.raw(" data-filter=\"" + filter + "\" data-value=\"" + value + "\"");
  }

  private void counts(Counts counts, long most) throws IOException {
    number("", counts.findings());
    bar(counts, most);
    number(" optional", counts.fail());
    number(" optional", counts.error());
    number(" optional", counts.warn());
    number(" optional", counts.pass());
  }

  private void bar(Counts counts, long most) throws IOException {
    html.raw("<td>");
    Bar.ofFindings(html, counts, most);
    html.raw("</td>");
  }

  private void number(String more, long number) throws IOException {
    html.raw("<td class=\"number" + more + (number == 0 ? " zero" : "") + "\">")
        .raw(Words.count(number))
        .raw("</td>");
  }
}
