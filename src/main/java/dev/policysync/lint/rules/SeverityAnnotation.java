package dev.policysync.lint.rules;

import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.policy.kyverno.AffectedVersions;
import java.util.Locale;
import java.util.Set;

/// Reports severities that Kyverno ignores.
final class SeverityAnnotation implements Rule {
  private static final String ANNOTATION = "policies.kyverno.io/severity";
  private static final Set<String> KNOWN = Set.of("critical", "high", "medium", "low", "info");

  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS018",
        LintSeverity.WARNING,
        AffectedVersions.ALL,
        "Unknown severity",
        """
        Kyverno copies the annotation `policies.kyverno.io/severity` into reports only if it is critical, high, \
        medium, low or info, in lower case. Any other value is silently dropped, so the findings have no severity.\
        """,
        "Use critical, high, medium, low or info.");
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    policy
        .annotation(ANNOTATION)
        .filter(node -> node.text().filter(KNOWN::contains).isEmpty())
        .ifPresent(node -> {
          var lower = node.text().orElse("").strip().toLowerCase(Locale.ROOT);
          found.at(
              node,
              "Kyverno ignores this severity; its reports have none",
              KNOWN.contains(lower)
                  ? "Use " + lower + "."
                  : "Use critical, high, medium, low or info.");
        });
  }
}
