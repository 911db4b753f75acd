package dev.policysync.singlefault;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/// What came of a scenario's faults.
///
/// @param reads requests of the undisturbed run that change nothing
/// @param runs faults that found something to go wrong
/// @param broken what was broken, and how to play it again
record FaultCounts(
    String scenario, int reads, int writes, int gaps, int runs, List<String> broken) {
  private static final String ONE = System.getProperty("policysync.fault", "");

  /// Plays the chosen ones of a scenario's faults, or the one that was asked for.
  static FaultCounts of(FaultPlay faultPlay, IntPredicate chosen) {
    var faults = faultPlay.faults();
    var runs = 0;
    var broken = new ArrayList<String>();
    for (int number = 0; number < faults.size(); number++) {
      var name = faultPlay.scenario() + ":" + number;
      if (ONE.isEmpty() ? chosen.test(number) : ONE.equals(name)) {
        var came = faultPlay.play(faults.get(number));
        runs += came.isPresent() ? 1 : 0;
        for (var what : came.orElse(List.of())) {
          broken.add(
              "%s, %s (-Dpolicysync.fault=%s): %s"
                  .formatted(faultPlay.scenario(), faults.get(number), name, what));
        }
      }
    }
    var writes = (int) faultPlay.requests().stream().filter(RequestLog.Request::write).count();
    var all = faultPlay.requests().size();
    return new FaultCounts(faultPlay.scenario().name(), all - writes, writes, all, runs, broken);
  }

  /// All of them as a table of Markdown.
  static String table(List<FaultCounts> tallies) {
    var lines = new ArrayList<String>();
    lines.add("| scenario | reads | writes | gaps | runs | broken |");
    lines.add("|---|--:|--:|--:|--:|--:|");
    tallies.forEach(faultCounts -> lines.add(faultCounts.line()));
    lines.add(total(tallies).line());
    return String.join("\n", lines);
  }

  static FaultCounts total(List<FaultCounts> tallies) {
    return tallies.stream()
        .reduce((one, other) ->
            new FaultCounts(
                "all",
                one.reads + other.reads,
                one.writes + other.writes,
                one.gaps + other.gaps,
                one.runs + other.runs,
                both(one.broken, other.broken)))
        .orElseThrow();
  }

  private static List<String> both(List<String> some, List<String> others) {
    var all = new ArrayList<>(some);
    all.addAll(others);
    return all;
  }

  private String line() {
    return "| %s | %d | %d | %d | %d | %d |"
        .formatted(scenario, reads, writes, gaps, runs, broken.size());
  }
}
