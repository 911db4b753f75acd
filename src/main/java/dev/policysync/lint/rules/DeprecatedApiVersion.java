package dev.policysync.lint.rules;

import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.kyverno.AffectedVersions;
import java.util.Set;

/// Reports policies that use a deprecated version of their API.
final class DeprecatedApiVersion implements Rule {
  private static final Set<String> OLD = Set.of("v2alpha1", "v1alpha1", "v2beta1");

  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS003",
        LintSeverity.NOTE,
        AffectedVersions.ALL,
        "Deprecated apiVersion",
        """
        `v1alpha1`, `v2alpha1` and `v2beta1` of Kyverno's kinds are deprecated: the API server warns on every \
        write, and a later Kyverno will not serve them. This agent applies a policy in the preferred version that \
        the cluster serves, regardless of the manifest; `kubectl apply` does not.

        For ClusterPolicy and Policy `kyverno.io/v2beta1` also breaks server-side apply: the object loses all \
        managed fields as soon as Kyverno writes its status (seen with Kyverno 1.19.0 on Kubernetes 1.36.3), and a \
        field that is later dropped from the file, such as `validationFailureAction: Enforce`, stays in force. This is a \
        warning; the other versions work as before, so they are a note. Both are reported once per run with the \
        number of policies.\
        """,
        "Use the newest version that all clusters serve; the fields are the same.");
  }

  @Override
  public boolean oncePerRun() {
    return true;
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    var written = policy.root().at("apiVersion");
    var version = written.flatMap(node -> node.text()).orElse("");
    var old = version.substring(version.indexOf('/') + 1);
    if (written.isEmpty() || !OLD.contains(old) || policy.kind().builtIn()) {
      return;
    }
    if (policy.kind().type() == PolicyKind.Type.CONTEXT_ENTRY && old.equals("v2beta1")) {
      return; // the storage version, deprecated in no release
    }
    var best = policy.kind().group() + "/" + policy.kind().versions().getFirst();
    found.at(
        written.get(),
        policy.kind().type() == PolicyKind.Type.RULES ? LintSeverity.WARNING : LintSeverity.NOTE,
        version + " is a deprecated version of " + policy.kind().kind(),
        "Write " + best + since(policy.kind()) + ".");
  }

  private static String since(PolicyKind kind) {
    return switch (kind.type()) {
      case RULES, VALIDATING_ADMISSION, MUTATING_ADMISSION, VALIDATING_BINDING, MUTATING_BINDING ->
          "";
      case CLEANUP, RULE_EXCEPTION -> ", since Kyverno 1.12";
      case CONTEXT_ENTRY,
          VALIDATING,
          IMAGE_VALIDATING,
          MUTATING,
          GENERATING,
          DELETING,
          CEL_POLICY_EXCEPTION ->
          ", since Kyverno 1.17";
    };
  }
}
