package dev.policysync.policy.kyverno;

import dev.policysync.base.Value;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Decides whether Kyverno generates rules for Pod controllers from a rule for Pods.
///
/// Source: Kyverno 1.19, `CanAutoGen` and `computeRules`. The annotation is documented.
public final class Autogen {
  /// The annotation that names the controllers, or `none` for no rule. Without it, Kyverno
  /// generates rules for all controllers.
  public static final String ANNOTATION = "pod-policies.kyverno.io/autogen-controllers";

  private Autogen() {}

  /// Returns whether Kyverno generates any rule from this rule.
  public static boolean appliesTo(Value.Mapping policy, Value.Mapping rule) {
    var rules = EffectiveActionResolver.rules(policy.mapping("spec")).toList();
    return !controllers(policy).isEmpty()
        && rules.stream().noneMatch(Autogen::prevents)
        && rules.stream().flatMap(Autogen::filters).anyMatch(Autogen::namesPodsOrControllers)
        && matched(rule).anyMatch(KindName::isPod)
        && excludesPodsIfAnything(rule);
  }

  /// Returns the kinds of controllers for which the policy requests rules. Kyverno uses each name
  /// between two commas exactly as written.
  public static Set<String> controllers(Value.Mapping policy) {
    var named = policy.mapping("metadata").mapping("annotations").text(ANNOTATION);
    if (named.isEmpty()) {
      return KindName.POD_CONTROLLERS;
    }
    var controllers = new HashSet<>(List.of(named.get().split(",", -1)));
    controllers.retainAll(KindName.POD_CONTROLLERS);
    return controllers;
  }

  /// Returns a kind of Pod controller that the rule itself matches.
  public static Optional<String> controller(Value.Mapping rule) {
    return matched(rule).map(KindName::kind).filter(KindName.POD_CONTROLLERS::contains).findFirst();
  }

  /// Returns whether a rule turns off autogen for all rules of its policy.
  private static boolean prevents(Value.Mapping rule) {
    var mutate = rule.mapping("mutate");
    return rule.field("generate").isPresent()
        || patchesByJson(mutate)
        || mutate.items("foreach").stream().anyMatch(Autogen::patchesByJson)
        || filters(rule).anyMatch(Autogen::prevents);
  }

  private static boolean patchesByJson(Value mutation) {
    return mutation instanceof Value.Mapping mapping
        && mapping.field("patchesJson6902").isPresent();
  }

  private static boolean prevents(ResourceFilter filter) {
    var kinds = filter.kinds();
    return filter.asksForObject()
        // Only in this check, an empty map of annotations is a condition.
        || filter.block().mapping("resources").field("annotations").isPresent()
        || (kinds.size() > 1 && kinds.stream().anyMatch(KindName::isPod));
  }

  private static boolean namesPodsOrControllers(ResourceFilter filter) {
    return filter.kinds().stream()
        .filter(KindName::plain)
        .anyMatch(kind -> kind.isPod() || KindName.POD_CONTROLLERS.contains(kind.kind()));
  }

  private static boolean excludesPodsIfAnything(Value.Mapping rule) {
    var kinds =
        ResourceFilter.of(rule.mapping("exclude")).stream()
            .flatMap(filter -> filter.kinds().stream())
            .toList();
    return kinds.isEmpty() || kinds.stream().anyMatch(KindName::isPod);
  }

  private static Stream<ResourceFilter> filters(Value.Mapping rule) {
    return Stream.of("match", "exclude")
        .flatMap(part -> ResourceFilter.of(rule.mapping(part)).stream());
  }

  private static Stream<KindName> matched(Value.Mapping rule) {
    return ResourceFilter.of(rule.mapping("match")).stream()
        .flatMap(filter -> filter.kinds().stream());
  }
}
