package dev.policysync.sync.analysis;

import dev.policysync.plan.StricterChange;
import dev.policysync.plan.impact.Impact;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Collectors;

/// The effect of a write on requests, and the workloads that it would affect today.
///
/// @param failing the workloads that currently violate the policy; empty if it does not become
///   stricter, or if they are unknown
/// @param age the age of the newest result in the reports, if it has a time
/// @param noData why the workloads are unknown, if they should be known
public record WriteImpact(
    Impact impact,
    Optional<ViolationSource.Violations> failing,
    Optional<Duration> age,
    Optional<String> noData) {
  /// The reason why a policy that this run creates has no data. It is the last part of the warning
  /// about that policy.
  public static final String NEW_POLICY = "the policy is new and has not been evaluated yet";

  static WriteImpact harmless(Impact impact) {
    return new WriteImpact(impact, Optional.empty(), Optional.empty(), Optional.empty());
  }

  /// Creates the impact of a write with an unknown number of affected workloads.
  public static WriteImpact unknown(Impact impact, String why) {
    return new WriteImpact(impact, Optional.empty(), Optional.empty(), Optional.of(why));
  }

  /// Returns the stricter change, for the guard.
  ///
  /// @param anyReports whether the cluster has any reports
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

  /// Returns whether a person should look at the impact. That is not necessary if the reports show
  /// everything and no workload is affected.
  public boolean worrying() {
    var nobody = failing.isPresent() && failing.get().workloads() == 0 && impact.covered();
    return !impact.guarded().isEmpty() && !nobody;
  }

  /// Returns whether the impact is that of a new blocking policy, which no report covers yet.
  public boolean isNewPolicy() {
    return noData.equals(Optional.of(NEW_POLICY));
  }

  /// Returns one line with the reason why more is blocked, and the number of affected workloads:
  /// `rule has-team: Audit → Enforce; 3 workloads fail it now: shop 2, pay 1`.
  public String because() {
    var why =
        impact.reasons().stream()
            .filter(impactReason -> impactReason.direction().mayTighten())
            .map(Object::toString)
            .collect(Collectors.joining(", "));
    return figures().map(figures -> why + "; " + figures).orElse(why);
  }

  /// Returns the number of affected workloads in words; empty if the policy does not become
  /// stricter.
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
