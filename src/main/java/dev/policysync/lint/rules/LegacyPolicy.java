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
  static Optional<LegacyPolicy> of(LintedPolicy lintedPolicy) {
    return lintedPolicy.kind().type() == PolicyKind.Type.RULES
        ? Optional.of(new LegacyPolicy(lintedPolicy))
        : Optional.empty();
  }

  /// Returns the rules of a policy; none if it is of another kind.
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

  /// Returns whether background scans evaluate existing objects, which is the default.
  boolean background() {
    return !spec().isSetTo("background", false);
  }

  /// Returns whether the policy evaluates requests, which is the default.
  boolean admission() {
    return Admission.judges(PolicyKind.Type.RULES, spec().mapping());
  }

  /// Returns whether requests are rejected while Kyverno does not answer. This is the default of a
  /// policy that evaluates requests.
  boolean failsClosed() {
    return Admission.judgesAndFailsClosed(PolicyKind.Type.RULES, spec().mapping());
  }
}
