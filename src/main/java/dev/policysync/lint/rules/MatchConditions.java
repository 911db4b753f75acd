package dev.policysync.lint.rules;

import dev.policysync.kyverno.AffectedVersions;
import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.lint.cel.Cel;
import java.util.stream.Stream;

/// Conditions of a webhook that cannot be read, or that decide nothing.
final class MatchConditions implements Rule {
  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS033",
        LintSeverity.ERROR,
        AffectedVersions.ALL,
        "A match condition that is broken, or always the same",
        """
        A policy's match conditions decide which requests it judges: `webhookConfiguration.matchConditions` of \
        a ClusterPolicy, `matchConditions` of CEL policies and exceptions, and `conditions` of a \
        DeletingPolicy. Kyverno refuses a policy with a condition for its webhook that cannot be read. A \
        condition that is always false switches the policy off without a word; one that is always true is no \
        condition, and a DeletingPolicy with it deletes all that it matches. These are warnings.

        Found from the text alone: `false`, `1 == 2`, `object.x && false`. Only `lint` looks for this, and a \
        sync with `LINT=block`. Other expressions that cannot be read are PS020.\
        """,
        "Mend the condition, or remove it.");
  }

  @Override
  public boolean readsCel() {
    return true;
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    webhook(policy).forEach(condition -> judge(condition, true, found));
    if (policy.kind().usesCel()) {
      Stream.of("matchConditions", "targetMatchConditions", "conditions")
          .flatMap(field -> policy.spec().items(field).stream())
          .flatMap(item -> item.at("expression").stream())
          .forEach(condition -> judge(condition, false, found));
    }
  }

  private static Stream<Node> webhook(LintedPolicy policy) {
    return policy.spec().items("webhookConfiguration", "matchConditions").stream()
        .flatMap(item -> item.at("expression").stream());
  }

  private static void judge(Node condition, boolean webhook, LintFindingSink found) {
    var text = condition.text();
    if (text.isEmpty()) {
      return;
    }
    switch (Cel.read(text.get())) {
      case Cel.Broken(int index, String reason) -> {
        if (webhook) {
          found.at(condition, index, "Kyverno cannot read this condition: " + reason);
        }
      }
      case Cel.Sound sound ->
          sound
              .always()
              .ifPresent(value ->
                  found.at(
                      condition,
                      LintSeverity.WARNING,
                      value
                          ? "this condition is always true"
                          : "this condition is always false, so nothing is judged"));
    }
  }
}
