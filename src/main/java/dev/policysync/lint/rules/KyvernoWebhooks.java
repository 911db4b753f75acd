package dev.policysync.lint.rules;

import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.Rule;
import dev.policysync.lint.Rule.Trait;
import dev.policysync.policy.kyverno.WebhookFaults;
import java.util.List;

/// The rule about policies that break Kyverno's webhook configuration.
final class KyvernoWebhooks {
  private KyvernoWebhooks() {}

  static List<Rule> rules() {
    return List.of(BREAKS);
  }

  private static final Rule BREAKS =
      Rule.error(
          "PS057",
          "Policy breaks Kyverno's webhook configuration",
          """
          Kyverno copies the rules, selectors and match conditions of its CEL policies into one webhook configuration. \
          The API server rejects there what it accepts in the policy: operations in lower case, an empty resource, `*` \
          beside other resources, an unknown operator or an invalid key in a selector, a timeout of more than 30 \
          seconds. The policy becomes ready, but Kyverno can no longer write its configuration: from then on no change \
          of any policy in the cluster has an effect, until the policy is corrected or removed (Kyverno 1.19.0).

          A sync never writes such a policy, whatever `LINT` says. `check` and `status` name one that is in the \
          cluster already.\
          """,
          "Write operations in capitals, resources in lower case and in the plural, and * alone; in a "
              + "selector use In, NotIn, Exists and DoesNotExist.",
          KyvernoWebhooks::judge,
          Trait.LINT_ONLY);

  private static void judge(LintedPolicy policy, LintFindingSink found) {
    WebhookFaults.of(policy.kind(), policy.root().mapping())
        .forEach(fault ->
            found.at(
                nearest(policy.root(), fault.path()),
                fault.reason() + ", so Kyverno can no longer write its webhook configuration"));
  }

  /// Returns the node at a path, or the last one above it that exists.
  static Node nearest(Node root, List<String> path) {
    return root.at(path)
        .orElseGet(() -> path.isEmpty() ? root : nearest(root, path.subList(0, path.size() - 1)));
  }
}
