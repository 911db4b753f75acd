package dev.policysync.plan.impact;

import dev.policysync.policy.PolicyId;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Collectors;

/// The effect of a write on requests: whether it blocks more or fewer of them, and why.
///
/// @param policy the written policy
/// @param reported the policy whose report results show which workloads are affected: for a
///   binding, the bound policy
/// @param reasons empty if the write does not change which requests are blocked
public record Impact(PolicyId policy, PolicyId reported, List<ImpactReason> reasons) {
  public Impact {
    reasons = List.copyOf(reasons);
  }

  /// Creates an impact whose affected workloads come from the results of the policy itself.
  static Impact of(PolicyId policy, List<ImpactReason> reasons) {
    return new Impact(policy, policy, reasons);
  }

  public boolean mayTighten() {
    return reasons.stream().anyMatch(impactReason -> impactReason.direction().mayTighten());
  }

  /// Returns whether more requests are certainly blocked than before.
  public boolean tightens() {
    return reasons.stream()
        .anyMatch(impactReason -> impactReason.direction() == Direction.TIGHTENS);
  }

  /// Returns the reasons for which more requests that violate the policy may be blocked.
  public List<ImpactReason> guarded() {
    return reasons.stream()
        .filter(impactReason -> impactReason.direction().mayTighten())
        .filter(impactReason -> impactReason.reportCoverage() != ReportCoverage.NOT_NEEDED)
        .toList();
  }

  /// Returns whether policy reports show every workload that will be blocked.
  public boolean covered() {
    return guarded().stream()
        .allMatch(impactReason -> impactReason.reportCoverage() == ReportCoverage.REPORTS);
  }

  /// Returns the effect in words: `tightens`, `loosens`, `tightens and loosens`, `may tighten`.
  public String effect() {
    var directions = EnumSet.noneOf(Direction.class);
    reasons.forEach(impactReason -> directions.add(impactReason.direction()));
    if (directions.contains(Direction.TIGHTENS)) {
      directions.remove(Direction.CHANGED);
    }
    return directions.stream().map(Direction::toString).collect(Collectors.joining(" and "));
  }
}
