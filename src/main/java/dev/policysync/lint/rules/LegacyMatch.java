package dev.policysync.lint.rules;

import dev.policysync.kyverno.AffectedVersions;
import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import java.util.List;

/// Resources right below match or exclude.
final class LegacyMatch implements Rule {
  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS022",
        LintSeverity.WARNING,
        AffectedVersions.ALL,
        "match or exclude without any or all",
        """
        `match.resources` and `exclude.resources` are the old way to choose resources, from before `any` \
        and `all`, and deprecated; `kyverno.io/v2beta1` does not know them. In `exclude` they read as if \
        each line excluded something, but all of them must hold at once. `any` says which is meant.\
        """,
        "Put it below any, as its only item: any: [{resources: …}].");
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    for (var rule : LegacyPolicy.rulesOf(policy)) {
      for (var block : List.of("match", "exclude")) {
        rule.node()
            .at(block, "resources")
            .ifPresent(node ->
                found.at(node, rule.label() + " has " + block + ".resources, which is deprecated"));
      }
    }
  }
}
