package dev.policysync.cli.report;

import dev.policysync.cli.TerminalText;
import dev.policysync.cli.TextStyle;
import dev.policysync.report.Findings;
import dev.policysync.report.ReportKind;
import dev.policysync.report.ResultCounts;
import dev.policysync.report.Totals;
import dev.policysync.report.view.Coverage;
import dev.policysync.report.view.DisplayText;
import dev.policysync.report.view.FindingContext;
import dev.policysync.report.view.PolicyIndex;
import dev.policysync.report.view.ReportHeader;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// Findings as text for a terminal: the totals, the worst policies and namespaces, and the commands
/// that show the rest.
final class FindingsText {
  private static final int WORST = 10;
  private static final int BAR = 20;

  /// The longest title in characters; a longer one would push the figures off most terminals.
  private static final int TITLE = 40;

  /// The names of namespaces that may be part of a suggested command, which a person will copy.
  private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9]([a-z0-9-]*[a-z0-9])?");

  private final Findings findings;
  private final FindingContext context;
  private final Totals totals;
  private final TextStyle textStyle;
  private final TerminalText text = new TerminalText();

  private FindingsText(Findings findings, FindingContext context, TextStyle textStyle) {
    this.findings = findings;
    this.context = context;
    this.totals = findings.totals();
    this.textStyle = textStyle;
  }

  static TerminalText write(Findings findings, FindingContext context, TextStyle textStyle) {
    var view = new FindingsText(findings, context, textStyle);
    view.head(context.reportHeader());
    if (totals(findings) > 0) {
      view.headline();
    }
    view.change();
    view.coverage();
    if (findings.totals().all().findings() > 0) {
      view.severities();
      view.policies();
      view.namespaces();
      view.owners();
    }
    view.remarks();
    view.next();
    return view.text;
  }

  /// Returns a title: `Policy findings in acme/prod-1, 2026-11-21 19:40 UTC`.
  static String title(String what, ReportHeader reportHeader) {
    var where = reportHeader.cluster().isEmpty() ? "" : " in " + reportHeader.cluster();
    return what + where + ", " + DisplayText.minute(reportHeader.at());
  }

  private static long totals(Findings findings) {
    return findings.totals().all().total();
  }

  private void head(ReportHeader reportHeader) {
    text.append(textStyle.bold(title("Policy findings", reportHeader))).line().line();
  }

  private void headline() {
    var all = totals.all();
    var found = DisplayText.counted(all.findings(), "finding");
    text.append(all.findings() == 0 ? textStyle.green(found) : textStyle.red(found))
        .append(" in ")
        .append(DisplayText.counted(all.total(), "result"))
        .append(": ")
        .append(DisplayText.count(all.fail()))
        .append(" fail, ")
        .append(DisplayText.count(all.error()))
        .append(" error, ")
        .append(DisplayText.count(all.warn()))
        .append(" warn, ")
        .append(DisplayText.count(all.pass()))
        .append(" pass, ")
        .append(DisplayText.count(all.skip()))
        .line(" skip")
        .line();
  }

  private void change() {
    context.comparison().ifPresent(comparison -> text.line(DisplayText.change(comparison)).line());
  }

  private void coverage() {
    var coverage = Coverage.of(findings);
    if (!coverage.meaning().isEmpty()) {
      text.append(
              coverage.saysNothing()
                  ? textStyle.yellow(coverage.meaning())
                  : textStyle.green(coverage.meaning()))
          .line();
    }
    if (!coverage.advice().isEmpty()) {
      text.line(coverage.advice());
    }
    if (coverage != Coverage.FINDINGS) {
      text.line();
    }
  }

  private void severities() {
    var most = most(totals.severities().values().stream());
    var table = new TextTable(textStyle, 1, "Severity", "Findings", "");
    for (var of : totals.severities().entrySet()) {
      if (of.getValue().findings() > 0) {
        table.row(
            of.getKey().toString(),
            DisplayText.count(of.getValue().findings()),
            bar(of.getValue().findings(), most));
      }
    }
    text.append(table.write()).line();
  }

  private void policies() {
    var found = totals.policies().stream().filter(of -> of.resultCounts().findings() > 0).toList();
    var table =
        new TextTable(
            textStyle, 2, "Policy", "Title", "Findings", "Fail", "Error", "Warn", "Pass", "");
    var most = most(found.stream().map(Totals.OfPolicy::resultCounts));
    var policyIndex = new PolicyIndex(totals);
    for (var of : found.subList(0, Math.min(WORST, found.size()))) {
      var cells = new ArrayList<String>();
      cells.add(policyIndex.label(of.policy()));
      cells.add(TextTable.cut(DisplayText.title(of.policy()), TITLE));
      cells.addAll(counts(of.resultCounts(), most));
      table.row(cells);
    }
    text.append(table.write());
    more(found.size(), "policies");
  }

  private void namespaces() {
    var found =
        totals.namespaces().stream().filter(of -> of.resultCounts().findings() > 0).toList();
    var table = countTable("Namespace");
    var most = most(found.stream().map(Totals.OfNamespace::resultCounts));
    found.stream()
        .limit(WORST)
        .forEach(of -> row(table, DisplayText.namespace(of.namespace()), of.resultCounts(), most));
    text.append(table.write());
    more(found.size(), "namespaces");
  }

  /// Adds the findings per owner. Other results of policies and namespaces are left out, because no
  /// owner has to fix them.
  private void owners() {
    if (context.owners().isEmpty()) {
      return;
    }
    var counts = context.findingsByOwner(findings);
    var most = counts.values().stream().mapToLong(Long::longValue).max().orElse(0);
    var table = new TextTable(textStyle, 1, "Owner", "Findings", "");
    counts.entrySet().stream()
        .sorted(
            Map.Entry.<String, Long>comparingByValue()
                .reversed()
                .thenComparing(Map.Entry.comparingByKey()))
        .limit(WORST)
        .forEach(of ->
            table.row(
                List.of(of.getKey(), DisplayText.count(of.getValue()), bar(of.getValue(), most))));
    text.append(table.write());
    more(counts.size(), "owners");
  }

  private TextTable countTable(String what) {
    return new TextTable(textStyle, 1, what, "Findings", "Fail", "Error", "Warn", "Pass", "");
  }

  private static void row(TextTable table, String name, ResultCounts resultCounts, long most) {
    var cells = new ArrayList<String>();
    cells.add(name);
    cells.addAll(counts(resultCounts, most));
    table.row(cells);
  }

  private static List<String> counts(ResultCounts resultCounts, long most) {
    return List.of(
        DisplayText.count(resultCounts.findings()),
        DisplayText.count(resultCounts.fail()),
        DisplayText.count(resultCounts.error()),
        DisplayText.count(resultCounts.warn()),
        DisplayText.count(resultCounts.pass()),
        bar(resultCounts.findings(), most));
  }

  private static long most(java.util.stream.Stream<ResultCounts> counts) {
    return counts.mapToLong(ResultCounts::findings).max().orElse(0);
  }

  private static String bar(long findings, long most) {
    return "▇".repeat((int) Math.ceilDiv(BAR * findings, Math.max(1, most)));
  }

  private void more(int all, String what) {
    if (all > WORST) {
      text.append(textStyle.dim("  … and " + DisplayText.count(all - WORST) + " more " + what))
          .line();
    }
    text.line();
  }

  private void remarks() {
    var remarks = DisplayText.remarks(findings, context);
    remarks.forEach(remark -> text.append(textStyle.dim(remark)).line());
    if (!remarks.isEmpty()) {
      text.line();
    }
  }

  private void next() {
    if (totals.all().findings() == 0) {
      return;
    }
    text.line("Next:")
        .line("  policy-sync report -o html > findings.html   all findings, searchable")
        .line(
            "  policy-sync report -o csv > findings.csv     for spreadsheets; -o json for scripts")
        .line("  policy-sync report --storage                 etcd storage used by the reports");
    worstNamespace().ifPresent(command -> text.append("  ").line(command));
  }

  /// Returns a kubectl command that shows the reports of the namespace with the most findings, of
  /// the kind of report with the most results.
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
