package dev.policysync.plan.impact;

import dev.policysync.policy.kyverno.NamespaceScope;
import java.util.Optional;

/// One thing about a write that makes a policy stricter or milder.
///
/// @param rule which rule; empty where it is the whole policy, as in kinds without rules
/// @param text in words: `Audit → Enforce in shop`, `excludes less`
/// @param namespaceScope in which namespaces
public record ImpactReason(
    Direction direction,
    Optional<String> rule,
    String text,
    ReportCoverage reportCoverage,
    NamespaceScope namespaceScope) {

  /// One that holds in every namespace.
  public static ImpactReason of(
      Direction direction, Optional<String> rule, String text, ReportCoverage reportCoverage) {
    return new ImpactReason(direction, rule, text, reportCoverage, NamespaceScope.EVERYWHERE);
  }

  /// Whether it concerns what lives in that namespace, or in none where it is empty.
  public boolean reaches(String namespace) {
    return namespaceScope.includes(namespace);
  }

  /// `rule has-team: Audit → Enforce in shop`.
  @Override
  public String toString() {
    return rule.map(name -> "rule " + name + ": ").orElse("") + text;
  }
}
