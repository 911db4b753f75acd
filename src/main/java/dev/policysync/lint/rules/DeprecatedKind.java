package dev.policysync.lint.rules;

import dev.policysync.kyverno.AffectedVersions;
import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.policy.PolicyKind;
import java.util.EnumMap;
import java.util.Map;

/// Kinds that Kyverno plans to remove.
final class DeprecatedKind implements Rule {
  private static final Map<PolicyKind, String> SUCCESSORS =
      new EnumMap<>(
          Map.of(
              PolicyKind.CLUSTER_POLICY,
              "ValidatingPolicy, ImageValidatingPolicy, MutatingPolicy and GeneratingPolicy",
              PolicyKind.NAMESPACED_POLICY,
              "NamespacedValidatingPolicy and its siblings",
              PolicyKind.CLUSTER_CLEANUP_POLICY,
              "DeletingPolicy",
              PolicyKind.CLEANUP_POLICY,
              "NamespacedDeletingPolicy",
              PolicyKind.KYVERNO_EXCEPTION,
              "PolicyException of policies.kyverno.io"));

  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS004",
        LintSeverity.NOTE,
        AffectedVersions.since("1.17"),
        "Deprecated policy kind",
        """
        Since 1.17 ClusterPolicy, Policy, ClusterCleanupPolicy and CleanupPolicy are deprecated, and their removal \
        is planned for 1.20; 1.19 adds the PolicyException of kyverno.io and warns on every write. They keep working \
        until then, so this is a note, reported once per kind. Moving a policy to another kind under the same name \
        leaves no gap: this agent applies the new policy before it removes the old one.\
        """,
        "Migrate the policies before upgrading to Kyverno 1.20.");
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    var kind = policy.kind();
    var successors = SUCCESSORS.get(kind);
    if (successors == null || all.ofKind(kind).findFirst().filter(policy::equals).isEmpty()) {
      return;
    }
    var count = all.ofKind(kind).count();
    found.at(
        policy.root().at("kind").orElse(policy.root()),
        kind.label()
            + " is removed in Kyverno 1.20; its successor is "
            + successors
            + (count == 1 ? "" : "; " + count + " policies have this kind"));
  }
}
