package dev.policysync.lint.rules;

import dev.policysync.kyverno.AffectedVersions;
import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import java.util.HashMap;
import java.util.Map;

/// Rules without a name, with too long a one, or with another rule's.
final class RuleNames implements Rule {
  private static final int LONGEST = 63;

  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS009",
        LintSeverity.ERROR,
        AffectedVersions.ALL,
        "A rule's name is missing, too long, or taken",
        """
        A rule of a ClusterPolicy or Policy needs a name of at most 63 characters that no other rule of \
        the policy has: reports, exceptions and messages name it so. The API server refuses a missing or \
        longer name (422), Kyverno's webhook a second rule of the same name. The rules that autogen makes \
        are called `autogen-` or `autogen-cronjob-` and the rule's name, cut to 63 characters, so two \
        long names that begin alike become one in reports.\
        """,
        "Give each rule a short name of its own.");
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    Map<String, Integer> lines = new HashMap<>();
    for (var rule : LegacyPolicy.rulesOf(policy)) {
      var name = rule.node().text("name").orElse("");
      if (name.isEmpty()) {
        found.at(rule.node(), "a rule has no name, so the API server refuses the policy");
        continue;
      }
      var node = rule.node().at("name").orElse(rule.node());
      if (name.codePointCount(0, name.length()) > LONGEST) {
        found.at(
            node,
            "this rule's name has "
                + name.codePointCount(0, name.length())
                + " characters, and the API server takes "
                + LONGEST);
      }
      var first = lines.putIfAbsent(name, node.position().line());
      if (first != null) {
        found.at(
            node, "another rule of this policy is called \"" + name + "\", too, on line " + first);
      }
    }
  }
}
