package dev.policysync.lint.rules;

import dev.policysync.kyverno.AffectedVersions;
import dev.policysync.kyverno.AutogenRuleNames;
import dev.policysync.kyverno.Glob;
import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import java.util.Optional;

/// Exceptions from a policy or a rule that is not there.
final class ExceptionTarget implements Rule {
  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS019",
        LintSeverity.WARNING,
        AffectedVersions.ALL,
        "An exception from something that is not there",
        """
        A PolicyException names the policy, and in kyverno.io its rules, that it is an exception from. A name with a \
        spelling mistake, or of a policy that has moved to another kind, excepts nothing, and nobody says so until the \
        workload is blocked. Names are compared with the policies that are judged together; wildcards are passed over, \
        and so are the names that autogen gives to rules.\
        """,
        "Correct the name, or judge the exception together with its policy.");
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    if (policy.kind().type() == PolicyKind.Type.RULE_EXCEPTION) {
      policy.spec().items("exceptions").forEach(exception -> judgeLegacy(exception, all, found));
    } else if (policy.kind().type() == PolicyKind.Type.CEL_POLICY_EXCEPTION) {
      policy.spec().items("policyRefs").forEach(ref -> judgeCel(policy, ref, all, found));
    }
  }

  private static void judgeLegacy(Node exception, PolicySet all, LintFindingSink found) {
    var named = exception.at("policyName");
    var name = named.flatMap(Node::text).orElse("");
    if (named.isEmpty() || name.isEmpty() || Glob.isPattern(name)) {
      return;
    }
    var policy = legacy(name).flatMap(all::find);
    if (policy.isEmpty()) {
      found.at(named.get(), "there is no policy \"" + name + "\" here to be an exception from");
      return;
    }
    var rules =
        LegacyPolicy.rulesOf(policy.get()).stream()
            .flatMap(rule -> rule.node().text("name").stream())
            .toList();
    for (var rule : exception.items("ruleNames")) {
      var text = rule.text().orElse("");
      if (!Glob.isPattern(text)
          && !rules.contains(text)
          && !rules.contains(AutogenRuleNames.withoutPrefix(text))) {
        found.at(rule, "the policy \"" + name + "\" has no rule \"" + text + "\"");
      }
    }
  }

  private static void judgeCel(
      LintedPolicy exception, Node ref, PolicySet all, LintFindingSink found) {
    var name = ref.text("name").orElse("");
    var kind = ref.text("kind").flatMap(text -> PolicyKind.of(exception.kind().group(), text));
    if (name.isEmpty() || kind.isEmpty() || Glob.isPattern(name)) {
      return;
    }
    var id =
        kind.get().namespaced()
            ? exception.id().namespace().map(ns -> PolicyId.of(kind.get(), ns, name))
            : Optional.of(PolicyId.of(kind.get(), name));
    if (id.flatMap(all::find).isEmpty()) {
      found.at(
          ref.at("name").orElse(ref),
          "there is no " + kind.get().kind() + " \"" + name + "\" here to be an exception from");
    }
  }

  /// `team-label` is a ClusterPolicy, `shop/team-label` a Policy.
  private static Optional<PolicyId> legacy(String name) {
    var slash = name.indexOf('/');
    if (slash < 0) {
      return Optional.of(PolicyId.of(PolicyKind.CLUSTER_POLICY, name));
    }
    var rest = name.substring(slash + 1);
    return rest.isEmpty()
        ? Optional.empty()
        : Optional.of(PolicyId.of(PolicyKind.NAMESPACED_POLICY, name.substring(0, slash), rest));
  }
}
