package dev.policysync.report;

import java.time.Instant;
import java.util.Optional;

/// A resource that fails a rule, violates an unscored rule, or could not be evaluated. Equal
/// results from both API groups, from older report layouts or from a controller's Pods are one
/// finding.
///
/// @param rule the rule without the prefix `autogen-`; empty for kinds of policies without rules
/// @param result a result with [ReportResult#isFinding()]
/// @param severity from the policy's annotation, else from the result
/// @param category from the policy's annotation, else from the result
/// @param seen when the resource was last evaluated
/// @param pods the number of Pods, ReplicaSets and Jobs of this controller with the same finding; 0
///   if only the resource itself has it
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
