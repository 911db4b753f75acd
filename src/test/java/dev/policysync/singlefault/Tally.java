package dev.policysync.singlefault;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/// What came of a scenario's faults.
///
/// @param reads requests of the undisturbed run that change nothing
/// @param runs faults that found something to go wrong
/// @param broken what was broken, and how to play it again
record Tally(String scenario, int reads, int writes, int gaps, int runs, List<String> broken) {
  private static final String ONE = System.getProperty("policysync.fault", "");

  /// Plays the chosen ones of a scenario's faults, or the one that was asked for.
  static Tally of(Play play, IntPredicate chosen) {
    var faults = play.faults();
    var runs = 0;
    var broken = new ArrayList<String>();
    for (int number = 0; number < faults.size(); number++) {
      var name = play.scenario() + ":" + number;
      if (ONE.isEmpty() ? chosen.test(number) : ONE.equals(name)) {
        var came = play.play(faults.get(number));
        runs += came.isPresent() ? 1 : 0;
        for (var what : came.orElse(List.of())) {
          broken.add(
              "%s, %s (-Dpolicysync.fault=%s): %s"
                  .formatted(play.scenario(), faults.get(number), name, what));
        }
      }
    }
    var writes = (int) play.requests().stream().filter(Wire.Request::write).count();
    var all = play.requests().size();
    return new Tally(play.scenario().name(), all - writes, writes, all, runs, broken);
  }

  /// All of them as a table of Markdown.
  static String table(List<Tally> tallies) {
    var lines = new ArrayList<String>();
    lines.add("| scenario | reads | writes | gaps | runs | broken |");
    lines.add("|---|--:|--:|--:|--:|--:|");
    tallies.forEach(tally -> lines.add(tally.line()));
    lines.add(total(tallies).line());
    return String.join("\n", lines);
  }

  static Tally total(List<Tally> tallies) {
    return tallies.stream()
        .reduce((one, other) ->
            new Tally(
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
