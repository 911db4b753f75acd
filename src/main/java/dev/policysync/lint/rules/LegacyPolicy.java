package dev.policysync.lint.rules;

import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.kyverno.Admission;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A `ClusterPolicy` or a `Policy`.
record LegacyPolicy(LintedPolicy lintedPolicy) {
  /// That policy, if it is one.
  static Optional<LegacyPolicy> of(LintedPolicy lintedPolicy) {
    return lintedPolicy.kind().type() == PolicyKind.Type.RULES
        ? Optional.of(new LegacyPolicy(lintedPolicy))
        : Optional.empty();
  }

  /// The rules of a policy, none if it is of another kind.
  static List<LegacyRule> rulesOf(LintedPolicy lintedPolicy) {
    return of(lintedPolicy).map(LegacyPolicy::rules).orElse(List.of());
  }

  Node spec() {
    return lintedPolicy.spec();
  }

  List<LegacyRule> rules() {
    var rules = new ArrayList<LegacyRule>();
    for (var node : spec().items("rules")) {
      rules.add(new LegacyRule(this, node));
    }
    return rules;
  }

  /// Whether existing objects are judged too, which is the default.
  boolean background() {
    return !spec().says("background", false);
  }

  /// Whether requests are judged, which is the default.
  boolean admission() {
    return Admission.judges(PolicyKind.Type.RULES, spec().mapping());
  }

  /// Whether requests are refused while Kyverno does not answer, which is the default where it
  /// judges them.
  boolean failsClosed() {
    return Admission.refusesUnjudged(PolicyKind.Type.RULES, spec().mapping());
  }
}
