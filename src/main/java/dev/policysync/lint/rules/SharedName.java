package dev.policysync.lint.rules;

import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.kyverno.AffectedVersions;
import java.util.EnumSet;
import java.util.Set;

/// Reports policies of different kinds that share a name and appear in the same reports.
final class SharedName implements Rule {
  /// The types of policies that reports identify by name, without the kind.
  private static final Set<PolicyKind.Type> TYPES =
      EnumSet.of(
          PolicyKind.Type.RULES,
          PolicyKind.Type.VALIDATING,
          PolicyKind.Type.IMAGE_VALIDATING,
          PolicyKind.Type.MUTATING,
          PolicyKind.Type.GENERATING);

  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS028",
        LintSeverity.WARNING,
        AffectedVersions.since("1.14"),
        "Policies of different kinds share a name",
        """
        Reports contain the name of a policy but not its kind: results of `ClusterPolicy/team-label` and \
        `ValidatingPolicy/team-label` differ only in `source`. Tools that use the name alone confuse them, and the \
        policy that blocked a request is ambiguous. Both policies are also in force: one that was to be replaced \
        still blocks. Replacing a policy by one of another kind under the same name is fine (PS004), as long as the \
        old one is removed in the same change. Reported once per run.\
        """,
        "Remove the policy that the other replaces, or rename one of them.");
  }

  @Override
  public boolean oncePerRun() {
    return true;
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    if (!TYPES.contains(policy.kind().type())) {
      return;
    }
    PolicyKind.all().stream()
        .takeWhile(kind -> kind != policy.kind())
        .filter(kind -> TYPES.contains(kind.type()))
        .filter(kind -> kind.namespaced() == policy.kind().namespaced())
        .flatMap(kind -> all.find(ofKind(kind, policy.id())).stream())
        .findFirst()
        .ifPresent(other ->
            found.at(
                policy.root().at("metadata", "name").orElse(policy.root()),
                other + " has the same name; reports cannot distinguish the two"));
  }

  private static PolicyId ofKind(PolicyKind kind, PolicyId id) {
    return new PolicyId(kind, id.namespace(), id.name());
  }
}
