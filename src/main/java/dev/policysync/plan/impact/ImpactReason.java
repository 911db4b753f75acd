package dev.policysync.plan.impact;

import dev.policysync.policy.kyverno.NamespaceScope;
import java.util.Optional;

/// One reason why a write makes a policy stricter or milder.
///
/// @param rule the name of the rule; empty for the whole policy, as in kinds without rules
/// @param text the reason in words: `Audit → Enforce in shop`, `excludes less`
/// @param namespaceScope the namespaces to which the reason applies
public record ImpactReason(
    Direction direction,
    Optional<String> rule,
    String text,
    ReportCoverage reportCoverage,
    NamespaceScope namespaceScope) {

  public static ImpactReason of(
      Direction direction, Optional<String> rule, String text, ReportCoverage reportCoverage) {
    return new ImpactReason(direction, rule, text, reportCoverage, NamespaceScope.EVERYWHERE);
  }

  /// Returns whether the reason applies to objects in this namespace, or to cluster-scoped objects
  /// if the namespace is empty.
  public boolean reaches(String namespace) {
    return namespaceScope.includes(namespace);
  }

  /// Returns for example `rule has-team: Audit → Enforce in shop`.
  @Override
  public String toString() {
    return rule.map(name -> "rule " + name + ": ").orElse("") + text;
  }
}
