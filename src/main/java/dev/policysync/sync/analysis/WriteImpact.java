package dev.policysync.sync.analysis;

import dev.policysync.plan.StricterChange;
import dev.policysync.plan.impact.Impact;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Collectors;

/// What a write will do to requests, and who would be concerned today.
///
/// @param failing what reports tell of who breaks it now; empty where nothing tightens, or nobody
///   knows
/// @param age of the newest result in those reports, where it has a time
/// @param noData why nobody knows, where somebody should
public record WriteImpact(
    Impact impact,
    Optional<ViolationSource.Violations> failing,
    Optional<Duration> age,
    Optional<String> noData) {
  /// Why reports do not cover a policy that this run creates; it ends the warning on that policy.
  public static final String NEW_POLICY = "the policy is new and has not been evaluated yet";

  /// Something that blocks nothing more.
  static WriteImpact harmless(Impact impact) {
    return new WriteImpact(impact, Optional.empty(), Optional.empty(), Optional.empty());
  }

  /// Something of which nobody knows what it will block.
  public static WriteImpact unknown(Impact impact, String why) {
    return new WriteImpact(impact, Optional.empty(), Optional.empty(), Optional.of(why));
  }

  /// What a guard goes by.
  ///
  /// @param anyReports whether there are reports at all
  StricterChange tightening(boolean anyReports, boolean isNew) {
    return new StricterChange(impact.policy(), known(anyReports, isNew), because());
  }

  private StricterChange.AffectedWorkloads known(boolean anyReports, boolean isNew) {
    if (failing.isPresent()) {
      var workloads = failing.get().workloads();
      return impact.covered()
          ? new StricterChange.AffectedWorkloads.Exactly(workloads)
          : new StricterChange.AffectedWorkloads.AtLeast(workloads);
    }
    return isNew && !anyReports
        ? new StricterChange.AffectedWorkloads.NothingReportedEver()
        : new StricterChange.AffectedWorkloads.Unknown();
  }

  /// Whether somebody should look at it: not where reports tell everything, and nobody is
  /// concerned.
  public boolean worrying() {
    var nobody = failing.isPresent() && failing.get().workloads() == 0 && impact.covered();
    return !impact.guarded().isEmpty() && !nobody;
  }

  /// Whether it is a new policy that blocks, of which no reports can tell anything yet.
  public boolean isNewPolicy() {
    return noData.equals(Optional.of(NEW_POLICY));
  }

  /// Why more is blocked, and how many are concerned, in one line: `rule has-team: Audit → Enforce;
  /// 3 workloads fail it now: shop 2, pay 1`.
  public String because() {
    var why =
        impact.reasons().stream()
            .filter(impactReason -> impactReason.direction().mayTighten())
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
          case 0 -> "no workload currently fails";
          case 1 -> "1 workload currently fails: " + namespaces();
          default -> count + " workloads currently fail: " + namespaces();
        };
    return Optional.of(impact.covered() ? who : who + "; no report data for the new parts");
  }

  private String namespaces() {
    return failing.orElseThrow().namespaces().entrySet().stream()
        .map(entry ->
            (entry.getKey().isEmpty() ? "cluster-wide" : entry.getKey()) + " " + entry.getValue())
        .collect(Collectors.joining(", "));
  }
}
