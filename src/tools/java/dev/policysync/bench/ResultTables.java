package dev.policysync.bench;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/// What all scenarios came to.
final class ResultTables {
  private ResultTables() {}

  /// A row for each scenario.
  static String figures(List<Result> results) {
    var table =
        new Table(
            "id",
            "scenario",
            "policies",
            "n",
            "wall",
            "from – to",
            "CPU",
            "peak RSS",
            "cluster's CPU",
            "budget",
            "requests");
    for (var result : results) {
      var scenario = result.scenario();
      var cells = new ArrayList<String>();
      cells.addAll(
          List.of(
              "`" + scenario.id() + "`",
              scenario.title(),
              String.format(Locale.ROOT, "%,d", scenario.policies())));
      cells.addAll(
          switch (result) {
            case Result.Measured measured -> measured(measured);
            case Result.NotMeasured(_, var why) ->
                List.of("0", "not measured: " + why, "", "", "", "", "", "");
          });
      table.row(cells.toArray(String[]::new));
    }
    return table.text();
  }

  private static List<String> measured(Result.Measured measured) {
    var median = measured.median();
    var walls = measured.runs().stream().map(Figures::wall).sorted(Comparator.naturalOrder());
    var sorted = walls.toList();
    return List.of(
        Integer.toString(sorted.size()),
        Units.seconds(median.wall()),
        Units.seconds(sorted.getFirst()) + " – " + Units.seconds(sorted.getLast()),
        Units.seconds(median.cpu()),
        Units.mebibytes(median.peakRss()),
        Units.seconds(median.clusterCpu()),
        measured.scenario().budget().verdict(median),
        measured.requests().text()
            + idle(measured)
            + measured.answers().map(answers -> "; " + answers.text()).orElse(""));
  }

  private static String idle(Result.Measured measured) {
    var noOp =
        switch (measured.scenario().work()) {
          case NO_OP,
              NO_OP_COMPARED,
              NO_OP_LIMITED,
              NO_OP_OF_IMAGE,
              NO_OP_RUNTIMES_ROOTS,
              NO_OP_ONE_ROOT ->
              true;
          case DRY_RUN,
              FIRST_SYNC,
              FIRST_SYNC_HTTP2,
              FIRST_SYNC_FAR,
              TEN_CHANGED,
              LINT,
              KUBECTL_FIRST,
              KUBECTL_AGAIN,
              REPORT,
              REPORT_OF_A_STAND_IN ->
              false;
        };
    return !noOp ? "" : measured.requests().idle() ? ": met" : ": **missed**";
  }
}
