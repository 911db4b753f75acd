package dev.policysync.lint.rules;

import dev.policysync.kyverno.Admission;
import dev.policysync.kyverno.AffectedVersions;
import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import java.util.List;

/// A CEL policy for all operations or all API groups, which refuses what it cannot judge.
final class EveryOperation implements Rule {
  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS030",
        LintSeverity.WARNING,
        AffectedVersions.ALL,
        "All operations or all API groups, and blocking",
        """
        `operations: ["*"]` includes DELETE and CONNECT. There is no `object` when something is deleted, so an \
        expression about `object.spec` fails, and what cannot be judged is refused: by a policy of Kyverno \
        that denies, whatever its `failurePolicy` says, by the other kinds with `failurePolicy: Fail`. Then \
        nothing of that kind can be deleted any more, and namespaces with it stay in Terminating.

        `apiGroups: ["*"]` judges resources of the same name that nobody has thought of: `services` of \
        Knative beside those of Kubernetes. Resources `*` are PS007.\
        """,
        "Name the operations, usually CREATE and UPDATE, and the API groups that are meant.");
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
                        ? "this judges DELETE and CONNECT, too, where there is no object, and what it"
                            + " cannot judge is refused"
                        : "this judges resources of that name in every API group, and what it cannot"
                            + " judge is refused"));
      }
    }
  }
}
