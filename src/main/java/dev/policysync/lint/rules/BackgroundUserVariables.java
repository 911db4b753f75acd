package dev.policysync.lint.rules;

import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.policy.kyverno.AffectedVersions;
import dev.policysync.policy.kyverno.ResourceFilter;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Reports rules that use the requesting user in background scans, where there is no request.
final class BackgroundUserVariables implements Rule {
  private static final Pattern VARIABLE = Pattern.compile("\\{\\{(.+?)}}", Pattern.DOTALL);
  private static final Pattern USER =
      Pattern.compile(
          "(?<![.\\w])(request\\.(userInfo|roles|clusterRoles)|serviceAccountName(space)?)\\b");

  /// The words that [#USER] looks for, for a faster check without the regex.
  private static final List<String> USERS =
      List.of("request.userInfo", "request.roles", "request.clusterRoles", "serviceAccountName");

  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS008",
        LintSeverity.ERROR,
        AffectedVersions.ALL,
        "User variable in a background rule",
        """
        A background scan evaluates existing objects, without a request or user. Kyverno therefore rejects a policy \
        with `background: true`, the default, that uses `request.userInfo`, `request.roles`, `serviceAccountName` or \
        similar, or that matches or excludes subjects and roles. It also rejects any `{{ variable }}` in match and \
        exclude.\
        """,
        "Set spec.background: false, so that the policy applies to requests only.");
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    for (var rule : LegacyPolicy.rulesOf(policy)) {
      for (var part : List.of("match", "exclude")) {
        rule.node()
            .at(part)
            .flatMap(BackgroundUserVariables::anyVariable)
            .ifPresent(node ->
                found.at(
                    node,
                    rule.label() + " has a variable in its " + part + ", which Kyverno rejects",
                    "Move the condition to preconditions."));
      }
      if (rule.policy().background()) {
        user(rule)
            .ifPresent(node ->
                found.at(
                    node,
                    rule.label()
                        + " uses the requesting user, which background scans (background: true)"
                        + " do not have; Kyverno rejects this"));
      }
    }
  }

  private static Optional<Node> anyVariable(Node filter) {
    return first(filter, text -> VARIABLE.matcher(text).find());
  }

  private static Optional<Node> user(LegacyRule rule) {
    return Stream.of("match", "exclude")
        .flatMap(part -> FilterNodes.blocks(rule.node().at(part), _ -> true))
        .flatMap(block -> ResourceFilter.USERS.stream().flatMap(name -> block.at(name).stream()))
        .findFirst()
        .or(() ->
            rule.policy().rules().stream().anyMatch(BackgroundUserVariables::changesExisting)
                ? Optional.empty()
                : variable(rule));
  }

  /// Returns whether the rule mutates existing objects. With such a rule Kyverno accepts the
  /// variables of all rules of the policy.
  private static boolean changesExisting(LegacyRule rule) {
    return !rule.node().items("mutate", "targets").isEmpty();
  }

  private static Optional<Node> variable(LegacyRule rule) {
    return first(rule.node(), BackgroundUserVariables::asksForUser);
  }

  private static Optional<Node> first(Node within, Predicate<String> such) {
    for (var node : within.selfAndDescendants()) {
      if (node.text().filter(Variables::mayBeIn).filter(such).isPresent()) {
        return Optional.of(node);
      }
    }
    return Optional.empty();
  }

  private static boolean asksForUser(String text) {
    return USERS.stream().anyMatch(text::contains)
        && VARIABLE.matcher(text).results().anyMatch(found -> USER.matcher(found.group(1)).find());
  }
}
