package dev.policysync.lint.rules;

import dev.policysync.kyverno.AffectedVersions;
import dev.policysync.kyverno.ResourceFilter;
import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Rules that ask who made a request, where there is no request.
final class BackgroundUserVariables implements Rule {
  private static final Pattern VARIABLE = Pattern.compile("\\{\\{(.+?)}}", Pattern.DOTALL);
  private static final Pattern USER =
      Pattern.compile(
          "(?<![.\\w])(request\\.(userInfo|roles|clusterRoles)|serviceAccountName(space)?)\\b");

  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS008",
        LintSeverity.ERROR,
        AffectedVersions.ALL,
        "A question about the user where there is none",
        """
        A background scan judges objects that exist; there is no request and no user. So Kyverno refuses a policy \
        with `background: true`, the default, that uses `request.userInfo`, `request.roles`, \
        `serviceAccountName` or the like, or that matches or excludes subjects and roles. It also refuses any \
        `{{ variable }}` in match and exclude.\
        """,
        "Set spec.background: false; then only requests are judged.");
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
                    rule.label() + " has a variable in its " + part + ", which Kyverno refuses",
                    "Move the question to preconditions."));
      }
      if (rule.policy().background()) {
        user(rule)
            .ifPresent(node ->
                found.at(
                    node,
                    rule.label()
                        + " asks who made the request, and with background: true it has to judge objects"
                        + " that nobody requests; Kyverno refuses that"));
      }
    }
  }

  private static Optional<Node> anyVariable(Node filter) {
    return filter
        .everything()
        .filter(node -> node.text().filter(text -> VARIABLE.matcher(text).find()).isPresent())
        .findFirst();
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

  /// With such a rule Kyverno lets the variables of all rules of the policy pass.
  private static boolean changesExisting(LegacyRule rule) {
    return !rule.node().items("mutate", "targets").isEmpty();
  }

  private static Optional<Node> variable(LegacyRule rule) {
    return rule.node()
        .everything()
        .filter(node -> node.text().filter(BackgroundUserVariables::asksForUser).isPresent())
        .findFirst();
  }

  private static boolean asksForUser(String text) {
    return VARIABLE.matcher(text).results().anyMatch(found -> USER.matcher(found.group(1)).find());
  }
}
