package dev.policysync.cli.report;

import dev.policysync.cli.TextStyle;
import dev.policysync.report.finding.ReportSizes;
import dev.policysync.view.DisplayText;
import dev.policysync.view.ReportHeader;
import dev.policysync.view.Storage;
import java.util.Locale;
import java.util.Optional;

/// What `report --storage` says at a terminal.
final class StorageText {
  private static final String MEANING =
      """
      The figures are of the JSON that etcd keeps. Its file is larger: it holds earlier versions of each
      report until they are compacted away, every five minutes, and gives room back only when it is
      defragmented. At its quota etcd refuses every write in the cluster: 2 GiB unless it is set otherwise,
      and more than 8 GiB are advised against (etcd.io/docs, System limits). Everything else in the cluster
      needs its room there, too.
      """;

  private static final String TOO_MUCH =
      """
      If it is too much:
        - report on fewer resources: resourceFilters in Kyverno's ConfigMap, background: false in policies
          that only need to judge admission, autogen for fewer controllers
        - rescan less often (--backgroundScanInterval of the reports controller, 1h by default): each scan
          writes every report anew
        - keep reports outside etcd: kyverno/reports-server serves the same API from a database
      """;

  private StorageText() {}

  static String write(
      Storage storage,
      Optional<Storage.Estimate> estimate,
      ReportHeader reportHeader,
      TextStyle textStyle) {
    var text = new StringBuilder();
    text.append(textStyle.bold(FindingsText.title("Policy reports", reportHeader))).append("\n\n");
    if (storage.all().reports() == 0) {
      text.append(textStyle.yellow("There is no policy report, so nothing can be measured."))
          .append("\n\n");
    } else {
      text.append(kinds(storage, textStyle)).append('\n').append(measures(storage)).append("\n\n");
    }
    estimate.ifPresent(given -> text.append(estimate(storage, given, textStyle)).append('\n'));
    if (storage.inBothGroups()) {
      text.append(
          """
          There are reports of both groups. If Kyverno writes openreports.io now, those of wgpolicyk8s.io are
          stale and stay until somebody deletes them.

          """);
    }
    text.append(MEANING).append('\n').append(TOO_MUCH);
    if (estimate.isEmpty()) {
      text.append(
          "\nEstimate another cluster: policy-sync report --storage --pods 5000 --policies 20\n");
    }
    return text.toString();
  }

  private static String kinds(Storage storage, TextStyle textStyle) {
    var table = new TextTable(textStyle, 1, "Kind", "Reports", "Results", "Size", "");
    storage.inOrder().forEach((kind, reportSizes) -> row(table, kind.qualified(), reportSizes));
    row(table, "in all", storage.all());
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
        + " bytes a result, "
        + DisplayText.count(Math.round(storage.perReport()))
        + " bytes a report beside its results, "
        + figure(storage.resultsPerReport())
        + " results a report.";
  }

  private static String estimate(Storage storage, Storage.Estimate estimate, TextStyle textStyle) {
    var table = new TextTable(textStyle, 1, "Estimate", "Size", "");
    table.row("at least", size(estimate.least()), "if only Pods have reports");
    table.row("at most", size(estimate.most()), "if each Pod has a controller, with a report");
    table.row("rule of thumb", size(estimate.ruleOfThumb()), "25 MB per 1,000 Pods");
    return textStyle.bold(
            "With "
                + DisplayText.counted(estimate.pods(), "Pod")
                + " and "
                + figure(estimate.policies())
                + " results for each, by "
                + (storage.measured() ? "the sizes measured here" : "sizes seen of Kyverno 1.19"))
        + "\n\n"
        + table.write()
        + "\n"
        + """
        A policy with three rules gives three results. The rule of thumb is Kyverno's own, for the policies of
        the restricted Pod Security Standard in about 2,000 reports (github.com/kyverno/kyverno/pull/6949).
        """;
  }

  /// `4.9 MB`: etcd's documentation and Kyverno's count in thousands, too.
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
