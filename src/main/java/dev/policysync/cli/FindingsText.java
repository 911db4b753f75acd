package dev.policysync.cli;

import dev.policysync.report.Counts;
import dev.policysync.report.Findings;
import dev.policysync.report.ReportKind;
import dev.policysync.report.Totals;
import dev.policysync.view.Coverage;
import dev.policysync.view.Occasion;
import dev.policysync.view.Words;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// Findings at a terminal: how many, the worst policies and namespaces, and how to see the rest.
final class FindingsText {
  private static final int WORST = 10;
  private static final int BAR = 20;

  /// What may stand in a command that a person will copy.
  private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9]([a-z0-9-]*[a-z0-9])?");

  private final Findings findings;
  private final Totals totals;
  private final Style style;
  private final StringBuilder text = new StringBuilder();

  private FindingsText(Findings findings, Style style) {
    this.findings = findings;
    this.totals = findings.totals();
    this.style = style;
  }

  static String write(Findings findings, Occasion occasion, Style style) {
    var view = new FindingsText(findings, style);
    view.head(occasion);
    if (totals(findings) > 0) {
      view.headline();
    }
    view.coverage();
    if (findings.totals().all().findings() > 0) {
      view.severities();
      view.policies();
      view.namespaces();
    }
    view.remarks();
    view.next();
    return view.text.toString();
  }

  /// `Policy findings in acme/prod-1, 2026-11-21 19:40 UTC`.
  static String title(String what, Occasion occasion) {
    var where =
        occasion.cluster().isEmpty() ? "" : " in " + TextTable.printable(occasion.cluster());
    return what + where + ", " + Words.minute(occasion.at());
  }

  private static long totals(Findings findings) {
    return findings.totals().all().total();
  }

  private void head(Occasion occasion) {
    text.append(style.bold(title("Policy findings", occasion))).append("\n\n");
  }

  private void headline() {
    var all = totals.all();
    var found = Words.counted(all.findings(), "finding");
    text.append(all.findings() == 0 ? style.green(found) : style.red(found))
        .append(" among ")
        .append(Words.counted(all.total(), "result"))
        .append(": ")
        .append(Words.count(all.fail()))
        .append(" fail, ")
        .append(Words.count(all.error()))
        .append(" error, ")
        .append(Words.count(all.warn()))
        .append(" warn, ")
        .append(Words.count(all.pass()))
        .append(" pass, ")
        .append(Words.count(all.skip()))
        .append(" skip\n\n");
  }

  private void coverage() {
    var coverage = Coverage.of(findings);
    if (!coverage.meaning().isEmpty()) {
      text.append(
              coverage.saysNothing()
                  ? style.yellow(coverage.meaning())
                  : style.green(coverage.meaning()))
          .append('\n');
    }
    if (!coverage.advice().isEmpty()) {
      text.append(coverage.advice()).append('\n');
    }
    if (coverage != Coverage.FINDINGS) {
      text.append('\n');
    }
  }

  private void severities() {
    var most = most(totals.severities().values().stream());
    var table = new TextTable(style, "Severity", "Findings", "");
    for (var of : totals.severities().entrySet()) {
      if (of.getValue().findings() > 0) {
        table.row(
            of.getKey().toString(),
            Words.count(of.getValue().findings()),
            bar(of.getValue(), most));
      }
    }
    text.append(table.write()).append('\n');
  }

  private void policies() {
    var found = totals.policies().stream().filter(of -> of.counts().findings() > 0).toList();
    var table = countTable("Policy");
    var most = most(found.stream().map(Totals.OfPolicy::counts));
    found.stream().limit(WORST).forEach(of -> row(table, of.policy().name(), of.counts(), most));
    text.append(table.write());
    more(found.size(), "policies");
  }

  private void namespaces() {
    var found = totals.namespaces().stream().filter(of -> of.counts().findings() > 0).toList();
    var table = countTable("Namespace");
    var most = most(found.stream().map(Totals.OfNamespace::counts));
    found.stream()
        .limit(WORST)
        .forEach(of -> row(table, Words.namespace(of.namespace()), of.counts(), most));
    text.append(table.write());
    more(found.size(), "namespaces");
  }

  private TextTable countTable(String what) {
    return new TextTable(style, what, "Findings", "Fail", "Error", "Warn", "Pass", "");
  }

  private static void row(TextTable table, String name, Counts counts, long most) {
    table.row(
        name,
        Words.count(counts.findings()),
        Words.count(counts.fail()),
        Words.count(counts.error()),
        Words.count(counts.warn()),
        Words.count(counts.pass()),
        bar(counts, most));
  }

  private static long most(java.util.stream.Stream<Counts> counts) {
    return counts.mapToLong(Counts::findings).max().orElse(0);
  }

  private static String bar(Counts counts, long most) {
    return "▇".repeat((int) Math.ceilDiv(BAR * counts.findings(), Math.max(1, most)));
  }

  private void more(int all, String what) {
    if (all > WORST) {
      text.append(style.dim("  … and " + Words.count(all - WORST) + " more " + what)).append('\n');
    }
    text.append('\n');
  }

  private void remarks() {
    var remarks = Words.remarks(findings.remarks());
    remarks.forEach(remark -> text.append(style.dim(remark)).append('\n'));
    if (!remarks.isEmpty()) {
      text.append('\n');
    }
  }

  private void next() {
    if (totals.all().findings() == 0) {
      return;
    }
    text.append("Next:\n")
        .append(
            "  policy-sync report -o html > findings.html   all findings, to search and filter\n")
        .append(
            "  policy-sync report -o csv > findings.csv     for a spreadsheet; -o json for programs\n")
        .append("  policy-sync report --storage                 how much etcd the reports take\n");
    worstNamespace().ifPresent(command -> text.append("  ").append(command).append('\n'));
  }

  /// The reports themselves, of the kind that there is most of.
  private Optional<String> worstNamespace() {
    var kind =
        findings.sizes().entrySet().stream()
            .filter(of -> of.getValue().reports() > 0)
            .filter(
                of -> of.getKey() == ReportKind.POLICY_REPORT || of.getKey() == ReportKind.REPORT)
            .max(Comparator.comparingLong(of -> of.getValue().results()))
            .map(Map.Entry::getKey);
    return totals.namespaces().stream()
        .map(Totals.OfNamespace::namespace)
        .filter(name -> NAMESPACE.matcher(name).matches())
        .findFirst()
        .flatMap(name ->
            kind.map(
                of -> "kubectl get " + of.plural() + "." + of.group() + " --namespace=" + name));
  }
}
