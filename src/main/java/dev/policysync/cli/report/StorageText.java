package dev.policysync.cli.report;

import dev.policysync.cli.TerminalText;
import dev.policysync.cli.TextStyle;
import dev.policysync.report.ReportSizes;
import dev.policysync.report.view.DisplayText;
import dev.policysync.report.view.ReportHeader;
import dev.policysync.report.view.Storage;
import java.util.Locale;
import java.util.Optional;

/// The output of `report --storage` at a terminal.
final class StorageText {
  private static final String MEANING =
      """
      Sizes are those of the stored JSON. The etcd database is larger: it keeps old revisions of each
      report until compaction, every five minutes, and frees disk space only when it is
      defragmented. When etcd reaches its quota, it rejects all writes in the cluster: 2 GiB by default,
      8 GiB is the suggested maximum (etcd.io/docs, System limits). All other objects in the cluster share
      this quota.
      """;

  private static final String TOO_MUCH =
      """
      To reduce the size:
        - report on fewer resources: resourceFilters in Kyverno's ConfigMap, background: false in policies
          that only need admission control, autogen for fewer controllers
        - scan less often (--backgroundScanInterval of the reports controller, 1h by default): each scan
          rewrites every report
        - store reports outside etcd: kyverno/reports-server serves the same API from a database
      """;

  private static final String RULE_OF_THUMB =
      """
      A policy with three rules produces three results. The rule of thumb is Kyverno's, for the policies of
      the restricted Pod Security Standard in about 2,000 reports (github.com/kyverno/kyverno/pull/6949).
      """;

  private StorageText() {}

  static TerminalText write(
      Storage storage,
      Optional<Storage.Estimate> estimate,
      ReportHeader reportHeader,
      TextStyle textStyle) {
    var text = new TerminalText();
    text.append(textStyle.bold(FindingsText.title("Policy reports", reportHeader))).line().line();
    if (storage.all().reports() == 0) {
      text.append(textStyle.yellow("The cluster has no policy reports to measure.")).line().line();
    } else {
      text.append(kinds(storage, textStyle)).line().line(measures(storage)).line();
    }
    estimate.ifPresent(given -> text.append(estimate(storage, given, textStyle)).line());
    if (storage.inBothGroups()) {
      text.line(
              "The cluster has reports in both API groups. If Kyverno now writes openreports.io,"
                  + " the wgpolicyk8s.io")
          .line("reports are stale and remain until they are deleted.")
          .line();
    }
    MEANING.lines().forEach(text::line);
    text.line();
    TOO_MUCH.lines().forEach(text::line);
    if (estimate.isEmpty()) {
      text.line()
          .line("Estimate another cluster: policy-sync report --storage --pods 5000 --policies 20");
    }
    return text;
  }

  private static TerminalText kinds(Storage storage, TextStyle textStyle) {
    var table = new TextTable(textStyle, 1, "Kind", "Reports", "Results", "Size", "");
    storage.inOrder().forEach((kind, reportSizes) -> row(table, kind.qualified(), reportSizes));
    row(table, "total", storage.all());
    return table.write();
  }

  private static void row(TextTable table, String name, ReportSizes reportSizes) {
    table.row(
        name,
        DisplayText.count(reportSizes.reports()),
        DisplayText.count(reportSizes.results()),
        size(reportSizes.bytes()),
        "");
  }

  private static String measures(Storage storage) {
    return "Measured: "
        + DisplayText.count(Math.round(storage.perResult()))
        + " bytes per result, "
        + DisplayText.count(Math.round(storage.perReport()))
        + " bytes per report without its results, "
        + figure(storage.resultsPerReport())
        + " results per report.";
  }

  private static TerminalText estimate(
      Storage storage, Storage.Estimate estimate, TextStyle textStyle) {
    var table = new TextTable(textStyle, 1, "Estimate", "Size", "");
    table.row("at least", size(estimate.least()), "if only Pods have reports");
    table.row(
        "at most", size(estimate.most()), "if every Pod has a controller with its own report");
    table.row("rule of thumb", size(estimate.ruleOfThumb()), "25 MB per 1,000 Pods");
    var text =
        new TerminalText()
            .append(
                textStyle.bold(
                    "With "
                        + DisplayText.counted(estimate.pods(), "Pod")
                        + " and "
                        + figure(estimate.policies())
                        + " results each, based on "
                        + (storage.measured()
                            ? "sizes measured in this cluster"
                            : "sizes measured with Kyverno 1.19")))
            .line()
            .line()
            .append(table.write())
            .line();
    RULE_OF_THUMB.lines().forEach(text::line);
    return text;
  }

  /// Formats a size: `4.9 MB`. Units are powers of 1,000, as in the documentation of etcd and
  /// Kyverno.
  static String size(long bytes) {
    if (bytes < 1_000) {
      return bytes + " B";
    }
    var unit = bytes < 1_000_000 ? 1_000.0 : bytes < 1_000_000_000 ? 1_000_000.0 : 1_000_000_000.0;
    var name = bytes < 1_000_000 ? " kB" : bytes < 1_000_000_000 ? " MB" : " GB";
    return String.format(Locale.ROOT, "%,.1f", bytes / unit) + name;
  }

  private static String figure(double number) {
    return String.format(Locale.ROOT, "%,.1f", number).replaceAll("\\.0$", "");
  }
}
