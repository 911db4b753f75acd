package dev.policysync.lint.rules;

import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.policy.kyverno.Admission;
import dev.policysync.policy.kyverno.AffectedVersions;
import java.util.List;

/// Reports CEL policies that match all operations or all API groups, and deny requests that they
/// cannot evaluate.
final class EveryOperation implements Rule {
  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS030",
        LintSeverity.WARNING,
        AffectedVersions.ALL,
        "Blocking rule for all operations or all API groups",
        """
        `operations: ["*"]` includes DELETE and CONNECT. DELETE requests have no `object`, so an expression on \
        `object.spec` fails, and a failed evaluation is denied: by a Kyverno policy that denies regardless of its \
        `failurePolicy`, by the other kinds with `failurePolicy: Fail`. Objects of that kind can then no longer be \
        deleted, and namespaces that contain them stay in Terminating.

        `apiGroups: ["*"]` also matches unrelated resources of the same name, e.g. `services` of Knative. For \
        resources `*` see PS007.\
        """,
        "List the operations, usually CREATE and UPDATE, and the intended API groups.");
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    if (LegacyPolicy.of(policy).isPresent()
        || !Admission.refusesOnError(policy.kind().type(), policy.spec().mapping())) {
      return;
    }
    for (var rule : policy.spec().items("matchConstraints", "resourceRules")) {
      for (var field : List.of("apiGroups", "operations")) {
        rule.items(field).stream()
            .filter(node -> node.isText("*"))
            .forEach(node ->
                found.at(
                    node,
                    field.equals("operations")
                        ? "the policy also matches DELETE and CONNECT, which have no object;"
                            + " requests that it cannot evaluate are denied"
                        : "the policy matches resources of this name in every API group;"
                            + " requests that it cannot evaluate are denied"));
      }
    }
  }
}
