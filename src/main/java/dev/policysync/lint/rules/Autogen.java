package dev.policysync.lint.rules;

import dev.policysync.kyverno.KindName;
import java.util.Arrays;
import java.util.Optional;

/// Whether Kyverno makes rules for pod controllers out of a rule for pods (kyverno 1.19, read in
/// its source; `pod-policies.kyverno.io/autogen-controllers` is the documented switch).
final class Autogen {
  static final String ANNOTATION = "pod-policies.kyverno.io/autogen-controllers";

  private Autogen() {}

  static boolean appliesTo(LegacyRule rule) {
    return switchedOn(rule.policy())
        && rule.policy().rules().stream().noneMatch(Autogen::prevents)
        && rule.policy().rules().stream()
            .flatMap(LegacyRule::filters)
            .anyMatch(Autogen::namesPodsOrControllers)
        && rule.kinds().stream().anyMatch(KindName::isPod)
        && excludesPodsIfAnything(rule);
  }

  private static boolean switchedOn(LegacyPolicy policy) {
    return policy
        .lintedPolicy()
        .annotation(ANNOTATION)
        .map(node ->
            Arrays.stream(node.text().orElse("").split(","))
                .map(String::strip)
                .anyMatch(KindName.POD_CONTROLLERS::contains))
        .orElse(true);
  }

  /// One rule of this sort takes autogen from all rules of its policy.
  private static boolean prevents(LegacyRule rule) {
    var node = rule.node();
    return node.has("generate")
        || node.has("mutate", "patchesJson6902")
        || node.items("mutate", "foreach").stream().anyMatch(each -> each.has("patchesJson6902"))
        || rule.filters().anyMatch(Autogen::prevents);
  }

  private static boolean prevents(ResourceFilter resourceFilter) {
    var kinds = resourceFilter.kinds();
    return resourceFilter.asksFor("name")
        || resourceFilter.asksFor("names")
        || resourceFilter.asksFor("selector")
        || resourceFilter.asksFor("annotations")
        || (kinds.size() > 1 && kinds.stream().anyMatch(KindName::isPod));
  }

  private static boolean namesPodsOrControllers(ResourceFilter resourceFilter) {
    return resourceFilter.kinds().stream()
        .filter(KindName::plain)
        .anyMatch(kind -> kind.isPod() || KindName.POD_CONTROLLERS.contains(kind.kind()));
  }

  private static boolean excludesPodsIfAnything(LegacyRule rule) {
    var kinds =
        rule.exclude().stream().flatMap(resourceFilter -> resourceFilter.kinds().stream()).toList();
    return kinds.isEmpty() || kinds.stream().anyMatch(KindName::isPod);
  }

  /// A kind of pod controllers that the rule matches by itself.
  static Optional<String> controller(LegacyRule rule) {
    return rule.kinds().stream()
        .map(KindName::kind)
        .filter(KindName.POD_CONTROLLERS::contains)
        .findFirst();
  }
}
