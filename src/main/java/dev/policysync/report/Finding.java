package dev.policysync.report;

import java.time.Instant;
import java.util.Optional;

/// One thing that somebody should look at: a resource that fails a rule, is warned of, or could not
/// be judged. What the cluster reports of it several times, by twins, old layouts or the Pods of a
/// controller, is one finding.
///
/// @param rule without `autogen-` before it; empty where the kind of policy has none
/// @param result one that [ReportResult#isFinding()]
/// @param severity the policy's annotation, else the result's own
/// @param category the policy's annotation, else the result's own
/// @param seen when it was last evaluated
/// @param pods how many Pods, ReplicaSets and Jobs of this controller have the same finding; 0
///   where the resource stands for itself
public record Finding(
    ReportedPolicy policy,
    String rule,
    ReportResult result,
    Severity severity,
    Category category,
    Resource resource,
    ResultMessage resultMessage,
    Optional<Instant> seen,
    int pods) {
  public Finding {
    if (!result.isFinding()) {
      throw new IllegalArgumentException("a result " + result + " of " + policy.name());
    }
  }
}
