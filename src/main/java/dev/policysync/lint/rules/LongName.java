package dev.policysync.lint.rules;

import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.policy.kyverno.AffectedVersions;

/// Reports policy names that are too long for a label.
final class LongName implements Rule {
  private static final int LONGEST = 63;

  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS032",
        LintSeverity.NOTE,
        AffectedVersions.ALL,
        "Policy name too long for a label",
        """
        The API server accepts names of up to 253 characters, a label at most 63. Kyverno rejects a ClusterPolicy or \
        Policy with a longer name (1.19, `ValidatePolicyName`), an error. Kyverno 1.8 to 1.10 writes the \
        name of every policy into a label of its reports (`cpol.kyverno.io/<name>`), where a longer name does not \
        fit; other tools use it in labels as well.\
        """,
        "Use a name of at most 63 characters. A new name is a new policy: update exceptions"
            + " accordingly.");
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    var length = policy.id().name().length();
    if (length > LONGEST) {
      found.at(
          policy.root().at("metadata", "name").orElse(policy.root()),
          LegacyPolicy.of(policy).isPresent() ? LintSeverity.ERROR : LintSeverity.NOTE,
          "the name has " + length + " characters, a label allows " + LONGEST);
    }
  }
}
