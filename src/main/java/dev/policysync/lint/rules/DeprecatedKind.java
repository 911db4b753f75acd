package dev.policysync.lint.rules;

import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.kyverno.AffectedVersions;
import java.util.EnumMap;
import java.util.Map;

/// Reports kinds that Kyverno plans to remove.
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

  private static final AffectedVersions BEFORE_REMOVAL = AffectedVersions.before("1.20");
  private static final AffectedVersions WARNING_EACH_WRITE = AffectedVersions.since("1.19");

  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS004",
        LintSeverity.WARNING,
        AffectedVersions.since("1.17"),
        "Deprecated policy kind",
        """
        Since 1.17 ClusterPolicy, Policy, ClusterCleanupPolicy and CleanupPolicy are deprecated; 1.19 adds the \
        PolicyException of kyverno.io and warns on every write. By its plan, Kyverno 1.20 no longer evaluates these \
        kinds and rejects creating or changing them; objects that exist stay, without effect. So this is an error \
        for `--kyverno-version` 1.20 and later, a warning for 1.19 and where the release is unknown, and a note for \
        1.17 and 1.18. It is reported once per kind.

        Replace a policy in one change: remove the old one where the new one is added. Under the same name that \
        leaves no gap, because this agent applies the new policy before it removes the old one; as long as both are \
        there, PS028 reports them.\
        """,
        "Migrate the policies before upgrading to Kyverno 1.20.");
  }

  /// Returns the severity for the given release; for 1.19 if none is given.
  private static LintSeverity severity(LintFindingSink found) {
    if (!found.mayBeAffected(BEFORE_REMOVAL)) {
      return LintSeverity.ERROR;
    }
    return found.mayBeAffected(WARNING_EACH_WRITE) ? LintSeverity.WARNING : LintSeverity.NOTE;
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
        severity(found),
        kind.label()
            + " has no effect from Kyverno 1.20 on, and is rejected there; its successor is "
            + successors
            + (count == 1 ? "" : "; " + count + " policies have this kind"));
  }
}
