package dev.policysync.lint.rules;

import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.policy.kyverno.AffectedVersions;
import java.util.List;

/// Reports `resources` directly below `match` or `exclude`.
final class LegacyMatch implements Rule {
  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS022",
        LintSeverity.WARNING,
        AffectedVersions.ALL,
        "match or exclude without any or all",
        """
        `match.resources` and `exclude.resources` predate `any` and `all` and are deprecated; `kyverno.io/v2beta1` \
        does not support them. In `exclude` each line looks like a separate exclusion, but all of them must match \
        together. `any` makes the intent explicit.\
        """,
        "Move it below any as the only item: any: [{resources: …}].");
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
