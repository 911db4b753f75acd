package dev.policysync.lint.rules;

import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.kyverno.AffectedVersions;
import java.util.Optional;

/// Reports built-in admission policies without a binding, and bindings without a policy.
final class UnboundAdmissionPolicy implements Rule {
  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS014",
        LintSeverity.WARNING,
        AffectedVersions.ALL,
        "Admission policy without binding",
        """
        A ValidatingAdmissionPolicy or MutatingAdmissionPolicy has no effect without a binding. If the linted \
        policies contain none, the policy is idle or depends on a binding managed elsewhere. A binding without its \
        policy has no effect either.\
        """,
        "Add the missing policy or binding.");
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    switch (policy.kind().type()) {
      case VALIDATING_ADMISSION ->
          unbound(policy, all, PolicyKind.VALIDATING_ADMISSION_POLICY_BINDING, found);
      case MUTATING_ADMISSION ->
          unbound(policy, all, PolicyKind.MUTATING_ADMISSION_POLICY_BINDING, found);
      case VALIDATING_BINDING ->
          bindsNothing(policy, all, PolicyKind.VALIDATING_ADMISSION_POLICY, found);
      case MUTATING_BINDING ->
          bindsNothing(policy, all, PolicyKind.MUTATING_ADMISSION_POLICY, found);
      case RULES,
          CLEANUP,
          VALIDATING,
          IMAGE_VALIDATING,
          MUTATING,
          GENERATING,
          DELETING,
          RULE_EXCEPTION,
          CEL_POLICY_EXCEPTION,
          CONTEXT_ENTRY -> {}
    }
  }

  private static void unbound(
      LintedPolicy policy, PolicySet all, PolicyKind binding, LintFindingSink found) {
    var bound =
        all.ofKind(binding)
            .anyMatch(other ->
                policyName(other)
                    .flatMap(Node::text)
                    .filter(policy.id().name()::equals)
                    .isPresent());
    if (!bound) {
      found.at(
          policy.root().at("kind").orElse(policy.root()),
          "no " + binding.kind() + " references this policy, so it has no effect",
          "Add a " + binding.kind() + " with policyName: " + policy.id().name() + ".");
    }
  }

  private static void bindsNothing(
      LintedPolicy binding, PolicySet all, PolicyKind kind, LintFindingSink found) {
    policyName(binding)
        .filter(node ->
            node.text()
                .filter(name -> !name.isEmpty())
                .filter(name -> all.find(PolicyId.of(kind, name)).isEmpty())
                .isPresent())
        .ifPresent(node ->
            found.at(
                node,
                kind.kind()
                    + " \""
                    + node.text().orElse("")
                    + "\" not found, the binding has no effect"));
  }

  private static Optional<Node> policyName(LintedPolicy binding) {
    return binding.spec().at("policyName");
  }
}
