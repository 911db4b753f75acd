package dev.policysync.plan.impact;

import dev.policysync.policy.PolicyId;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Collectors;

/// What a write does to requests: whether more or fewer of them are blocked, and why.
///
/// @param policy what is written
/// @param reported the policy whose results tell who is concerned: for a binding the one that it
///   binds
/// @param reasons none where nothing is blocked or let through that was not before
public record Impact(PolicyId policy, PolicyId reported, List<ImpactReason> reasons) {
  public Impact {
    reasons = List.copyOf(reasons);
  }

  /// One on what the policy's own results tell.
  static Impact of(PolicyId policy, List<ImpactReason> reasons) {
    return new Impact(policy, policy, reasons);
  }

  /// Whether more may be blocked than before.
  public boolean mayTighten() {
    return reasons.stream().anyMatch(impactReason -> impactReason.direction().mayTighten());
  }

  /// Whether it is certain that more is blocked than before.
  public boolean tightens() {
    return reasons.stream()
        .anyMatch(impactReason -> impactReason.direction() == Direction.TIGHTENS);
  }

  /// The reasons for which more may be blocked, but for those by which nothing is blocked because
  /// it breaks the policy.
  public List<ImpactReason> guarded() {
    return reasons.stream()
        .filter(impactReason -> impactReason.direction().mayTighten())
        .filter(impactReason -> impactReason.reportCoverage() != ReportCoverage.NOT_NEEDED)
        .toList();
  }

  /// Whether reports tell all there is to know of who will be blocked.
  public boolean covered() {
    return guarded().stream()
        .allMatch(impactReason -> impactReason.reportCoverage() == ReportCoverage.REPORTS);
  }

  /// In words: `tightens`, `loosens`, `tightens and loosens`, `may tighten`.
  public String effect() {
    var directions = EnumSet.noneOf(Direction.class);
    reasons.forEach(impactReason -> directions.add(impactReason.direction()));
    if (directions.contains(Direction.TIGHTENS)) {
      directions.remove(Direction.CHANGED);
    }
    return directions.stream().map(Direction::toString).collect(Collectors.joining(" and "));
  }
}
