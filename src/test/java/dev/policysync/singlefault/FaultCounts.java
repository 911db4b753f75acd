package dev.policysync.singlefault;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toCollection;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;

/// What came of a scenario's faults.
///
/// @param reads requests of the undisturbed run that change nothing
/// @param runs faults that found something to go wrong
/// @param broken what was broken, and how to play it again
record FaultCounts(
    String scenario, int reads, int writes, int gaps, int runs, List<String> broken) {
  private static final String ONE = System.getProperty("policysync.fault", "");

  /// Plays every fault of a scenario, or the one that was asked for.
  static FaultCounts all(FaultPlay faultPlay) {
    var numbers = IntStream.range(0, faultPlay.faults().size()).boxed();
    return of(faultPlay, numbers.map(List::of).toList());
  }

  /// Plays the faults that stand for all, or the one that was asked for.
  static FaultCounts essential(FaultPlay faultPlay) {
    return of(faultPlay, faultPlay.essential().stream().map(List::of).toList());
  }

  /// Plays one fault of each of two kinds, or the one that was asked for.
  ///
  /// @param turn the scenario's number, so that the kinds take turns
  static FaultCounts sample(FaultPlay faultPlay, Random random, int turn) {
    var faults = faultPlay.faults();
    var kinds =
        IntStream.range(0, faults.size())
            .boxed()
            .collect(
                groupingBy(
                    number -> faults.get(number).kind(),
                    TreeMap::new,
                    toCollection(ArrayList::new)))
            .values();
    kinds.forEach(numbers -> Collections.shuffle(numbers, random));
    var inTurn = new ArrayList<>(kinds);
    Collections.rotate(inTurn, turn);
    return of(faultPlay, inTurn.subList(0, Math.min(2, inTurn.size())));
  }

  /// Plays of each group the first fault that finds something to go wrong.
  private static FaultCounts of(
      FaultPlay faultPlay, Collection<? extends List<Integer>> everything) {
    var runs = 0;
    var broken = new ArrayList<String>();
    for (var group : ONE.isEmpty() ? everything : List.of(List.of(asked()))) {
      for (int number : group) {
        var fault = faultPlay.faults().get(number);
        var came = faultPlay.play(fault);
        for (var what : came.map(FaultPlay.Came::broken).orElse(List.of())) {
          broken.add(
              "%1$s, %2$s (-Dpolicysync.fault=%1$s:%3$d): %4$s"
                  .formatted(faultPlay.scenario(), fault, number, what));
        }
        if (came.isPresent()) {
          runs++;
          break;
        }
      }
    }
    var writes = (int) faultPlay.requests().stream().filter(RequestLog.Request::write).count();
    var all = faultPlay.requests().size();
    return new FaultCounts(faultPlay.scenario().name(), all - writes, writes, all, runs, broken);
  }

  private static int asked() {
    return Integer.parseInt(ONE.substring(ONE.indexOf(':') + 1));
  }

  /// Whether faults of that scenario are to be played: only of one where one fault was asked for.
  static boolean concern(Scenario scenario) {
    return ONE.isEmpty() || ONE.startsWith(scenario + ":");
  }

  /// All of them as a table of Markdown.
  static String table(List<FaultCounts> counts) {
    var lines = new ArrayList<String>();
    lines.add("| scenario | reads | writes | gaps | runs | broken |");
    lines.add("|---|--:|--:|--:|--:|--:|");
    counts.forEach(faultCounts -> lines.add(faultCounts.line()));
    lines.add(total(counts).line());
    return String.join("\n", lines);
  }

  static FaultCounts total(List<FaultCounts> counts) {
    return counts.stream()
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
