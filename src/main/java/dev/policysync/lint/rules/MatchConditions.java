package dev.policysync.lint.rules;

import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.lint.expression.Cel;
import dev.policysync.policy.kyverno.AffectedVersions;
import java.util.stream.Stream;

/// Reports webhook conditions that do not parse, and match conditions that are constant.
final class MatchConditions implements Rule {
  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS033",
        LintSeverity.ERROR,
        AffectedVersions.ALL,
        "Invalid or constant match condition",
        """
        The match conditions of a policy select the requests that it evaluates: \
        `webhookConfiguration.matchConditions` of a ClusterPolicy, `matchConditions` of CEL policies and exceptions, \
        and `conditions` of a DeletingPolicy. Kyverno rejects a policy with an invalid webhook condition. A \
        condition that is always false silently disables the policy; one that is always true has no effect, and a \
        DeletingPolicy with it deletes everything that it matches. Both are warnings.

        Detected from the expression alone: `false`, `1 == 2`, `object.x && false`. Only `lint` and a sync with \
        `LINT=block` check this. For other invalid expressions see PS020.\
        """,
        "Fix or remove the condition.");
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
      case Cel.Invalid(int index, String reason) -> {
        if (webhook) {
          found.at(condition, index, "Kyverno cannot parse this condition: " + reason);
        }
      }
      case Cel.Parsed sound ->
          sound
              .always()
              .ifPresent(value ->
                  found.at(
                      condition,
                      LintSeverity.WARNING,
                      value
                          ? "this condition is always true"
                          : "this condition is always false, so the policy never applies"));
    }
  }
}
