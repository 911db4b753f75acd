package dev.policysync.lint.rules;

import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.policy.kyverno.AffectedVersions;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Reports rules for subresources that run in background scans, which see whole objects only.
///
/// Source: Kyverno 1.19, `validKinds` and `kubeutils.ParseKindSelector`.
final class BackgroundSubresource implements Rule {
  private static final Pattern VERSION = Pattern.compile("v\\d((alpha|beta)\\d)?|\\*");

  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS046",
        LintSeverity.ERROR,
        AffectedVersions.ALL,
        "Subresource in a background rule",
        """
        A background scan evaluates stored objects; a subresource such as `Pod/exec`, `Deployment/scale` or \
        `*/status` exists in requests only. Kyverno rejects a validating rule that matches or excludes one unless \
        `background: false` is set.\
        """,
        "Set spec.background: false.");
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    for (var rule : LegacyPolicy.rulesOf(policy)) {
      if (rule.policy().background() && rule.node().has("validate")) {
        Stream.of("match", "exclude")
            .flatMap(part -> FilterNodes.kinds(rule.node().at(part), _ -> true))
            .filter(node -> node.text().filter(BackgroundSubresource::isSubresource).isPresent())
            .forEach(node ->
                found.at(
                    node,
                    rule.label()
                        + " is for the subresource "
                        + node.text().orElse("")
                        + ", which background scans (background: true) do not see; Kyverno rejects this"));
      }
    }
  }

  private static boolean isSubresource(String selector) {
    if (selector.indexOf('/') < 0 && selector.indexOf('.') < 0) {
      return false;
    }
    var parts = List.of(selector.replaceFirst("\\.(?=[^./]*$)", "/").split("/", -1));
    return switch (parts.size()) {
      case 2 ->
          selector.equals("*/*")
              || (parts.getFirst().equals("*")
                  && parts.get(1).equals(parts.get(1).toLowerCase(java.util.Locale.ROOT)))
              || !VERSION.matcher(parts.getFirst()).matches();
      case 3 -> VERSION.matcher(parts.getFirst()).matches();
      case 4 -> true;
      default -> false;
    };
  }
}
