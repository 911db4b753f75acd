package dev.policysync.lint.rules;

import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.kyverno.AffectedVersions;
import java.util.Set;

/// Reports exclusions from Pod Security Standards that Kyverno rejects.
///
/// Source: Kyverno 1.19, `PodSecurityStandard.Validate`, `Rule.ValidatePSaControlNames`,
/// `pss/utils/mapping.go`.
final class PodSecurityExcludes implements Rule {
  private static final Set<String> OF_CONTAINERS =
      Set.of(
          "Capabilities",
          "Privileged Containers",
          "Host Ports",
          "/proc Mount Type",
          "Privilege Escalation");
  private static final Set<String> OF_PODS =
      Set.of("Host Namespaces", "HostPath Volumes", "Sysctls", "Volume Types");
  private static final Set<String> RESTRICTED =
      Set.of(
          "Volume Types",
          "Privilege Escalation",
          "Running as Non-root",
          "Running as Non-root user");

  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS047",
        LintSeverity.ERROR,
        AffectedVersions.ALL,
        "Invalid podSecurity exclusion",
        """
        An exclusion from a control of containers (e.g. Capabilities, Host Ports) requires `images`, one from a \
        control of Pods (e.g. Sysctls, HostPath Volumes) cannot have them; `restrictedField` and `values` belong \
        together; a control of level restricted cannot be excluded from level baseline. Kyverno rejects the policy \
        or exception.\
        """,
        "Add or remove images, restrictedField or values.");
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    for (var rule : LegacyPolicy.rulesOf(policy)) {
      rule.node()
          .at("validate", "podSecurity")
          .ifPresent(security -> {
            var baseline = security.text("level").filter("baseline"::equals).isPresent();
            for (var exclude : security.items("exclude")) {
              judge(exclude, found);
              if (baseline && RESTRICTED.contains(exclude.text("controlName").orElse(""))) {
                found.at(
                    exclude.at("controlName").orElse(exclude),
                    "level baseline does not have this control; Kyverno rejects the exclusion");
              }
            }
          });
    }
    if (policy.kind().type() == PolicyKind.Type.RULE_EXCEPTION) {
      policy.spec().items("podSecurity").forEach(exclude -> judge(exclude, found));
    }
  }

  private static void judge(Node exclude, LintFindingSink found) {
    var control = exclude.text("controlName").orElse("");
    var images = !exclude.items("images").isEmpty();
    var where = exclude.at("controlName").orElse(exclude);
    if (OF_CONTAINERS.contains(control) && !images) {
      found.at(
          where,
          control
              + " is a control of containers and requires images; Kyverno rejects the exclusion");
    } else if (OF_PODS.contains(control) && images) {
      found.at(
          exclude.at("images").orElse(where),
          control + " is a control of Pods and cannot have images; Kyverno rejects the exclusion");
    }
    var field = exclude.text("restrictedField").filter(text -> !text.isEmpty()).isPresent();
    var values = !exclude.items("values").isEmpty();
    if (field != values) {
      found.at(where, "restrictedField and values belong together; Kyverno rejects the exclusion");
    }
  }
}
