package dev.policysync.sync;

import dev.policysync.impact.Impact;
import dev.policysync.plan.Tightening;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Collectors;

/// What a write will do to requests, and who would be concerned today.
///
/// @param failing what reports tell of who breaks it now; empty where nothing tightens, or nobody
///   knows
/// @param age of the newest result in those reports, where it has a time
/// @param noData why nobody knows, where somebody should
public record Foreseen(
    Impact impact,
    Optional<FailingNow.Failing> failing,
    Optional<Duration> age,
    Optional<String> noData) {
  /// Something that blocks nothing more.
  static Foreseen harmless(Impact impact) {
    return new Foreseen(impact, Optional.empty(), Optional.empty(), Optional.empty());
  }

  /// Something of which nobody knows what it will block.
  static Foreseen unknown(Impact impact, String why) {
    return new Foreseen(impact, Optional.empty(), Optional.empty(), Optional.of(why));
  }

  /// What a guard goes by.
  ///
  /// @param anyReports whether there are reports at all
  Tightening tightening(boolean anyReports, boolean isNew) {
    return new Tightening(impact.policy(), known(anyReports, isNew), because());
  }

  private Tightening.Failing known(boolean anyReports, boolean isNew) {
    if (failing.isPresent()) {
      var workloads = failing.get().workloads();
      return impact.covered()
          ? new Tightening.Failing.Exactly(workloads)
          : new Tightening.Failing.AtLeast(workloads);
    }
    return isNew && !anyReports
        ? new Tightening.Failing.NothingReportedEver()
        : new Tightening.Failing.Unknown();
  }

  /// Whether somebody should look at it: not where reports tell everything, and nobody is
  /// concerned.
  boolean worrying() {
    var nobody = failing.isPresent() && failing.get().workloads() == 0 && impact.covered();
    return !impact.guarded().isEmpty() && !nobody;
  }

  /// Why more is blocked, and how many are concerned, in one line: `rule has-team: Audit → Enforce;
  /// 3 workloads fail it now: shop 2, pay 1`.
  public String because() {
    var why =
        impact.reasons().stream()
            .filter(reason -> reason.direction().mayTighten())
            .map(Object::toString)
            .collect(Collectors.joining(", "));
    return figures().map(figures -> why + "; " + figures).orElse(why);
  }

  /// How many are concerned, in words; empty where that is not the question.
  public Optional<String> figures() {
    if (failing.isEmpty()) {
      return noData.map(reason -> "no report data: " + reason);
    }
    var count = failing.get().workloads();
    var who =
        switch ((int) Math.min(count, 2)) {
          case 0 -> "no workload fails it now";
          case 1 -> "1 workload fails it now: " + namespaces();
          default -> count + " workloads fail it now: " + namespaces();
        };
    return Optional.of(
        impact.covered() ? who : who + "; of what is new in it there is no report data");
  }

  private String namespaces() {
    return failing.orElseThrow().namespaces().entrySet().stream()
        .map(entry ->
            (entry.getKey().isEmpty() ? "cluster-wide" : entry.getKey()) + " " + entry.getValue())
        .collect(Collectors.joining(", "));
  }
}
