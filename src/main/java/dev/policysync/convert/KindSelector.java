package dev.policysync.convert;

import dev.policysync.base.Value;
import dev.policysync.policy.kyverno.Glob;
import dev.policysync.policy.kyverno.KindName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.regex.Pattern;

/// A kind as a rule selects it: `Pod`, `apps/v1/Deployment`.
///
/// Source: Kyverno 1.19.0, `ParseKindSelector` and `CheckKind`.
///
/// @param group `*` for any group, empty for the core group
/// @param version `*` for any version
record KindSelector(String group, String version, String kind) {
  private static final String ANY = "*";
  private static final Pattern VERSION = Pattern.compile("v\\d((alpha|beta)\\d)?|\\*");

  static KindSelector of(Value.Text written) {
    var parts = new ArrayList<>(Arrays.asList(written.text().split("/", -1)));
    parts.addAll(Arrays.asList(parts.removeLast().split("\\.", -1)));
    var selector =
        switch (parts.size()) {
          case 1 -> new KindSelector(ANY, ANY, parts.getFirst());
          case 2 ->
              VERSION.matcher(parts.getFirst()).matches()
                  ? new KindSelector(ANY, parts.getFirst(), parts.getLast())
                  : null;
          case 3 ->
              VERSION.matcher(parts.getFirst()).matches()
                  ? null
                  : new KindSelector(parts.get(0), parts.get(1), parts.get(2));
          default -> null;
        };
    if (selector == null) {
      throw Untranslatable.value(
          written,
          "a subresource in kinds",
          "name it in matchConstraints.resourceRules, e.g. pods/exec, and write the rest by hand");
    }
    if (Glob.isPattern(selector.kind) || selector.kind.isEmpty()) {
      throw Untranslatable.value(
          written, "a wildcard in kinds", "name the resources in matchConstraints.resourceRules");
    }
    if (isPartial(selector.group) || isPartial(selector.version)) {
      throw Untranslatable.value(
          written, "a wildcard in a group or a version", "write * for any, or name each");
    }
    return selector;
  }

  private static boolean isPartial(String text) {
    return !text.equals(ANY) && Glob.isPattern(text);
  }

  /// Returns the selector that autogen uses for a controller of that kind (`PodControllerGVKMap`).
  static KindSelector ofController(String kind) {
    var apiVersion = ResourceNames.apiVersion(kind);
    return new KindSelector(apiVersion.replaceFirst("/?v1$", ""), "v1", kind);
  }

  boolean isPod() {
    return kind.equals("Pod");
  }

  boolean isNamespace() {
    return kind.equals("Namespace");
  }

  /// Returns whether the kind is known to be namespaced, which only Kubernetes' own kinds are.
  boolean isNamespaced() {
    return ResourceNames.isOfKubernetes(kind) && !KindName.of(kind).isClusterScoped();
  }

  /// Returns whether this may select the same objects as the rules of autogen.
  boolean isController() {
    return KindName.POD_CONTROLLERS.contains(kind);
  }

  /// Returns whether the resources of the kind are known, and no other kind has them: those of a
  /// kind of Kubernetes.
  boolean hasKnownResources() {
    return ResourceNames.isOfKubernetes(kind);
  }

  static Cel matchesAny(List<KindSelector> selectors, Place object) {
    var kinds = new LinkedHashMap<KindSelector, List<String>>();
    for (var selector : selectors) {
      kinds
          .computeIfAbsent(selector.ofAnyKind(), _ -> new ArrayList<>())
          .add(Cel.quoted(selector.kind));
    }
    var any = new ArrayList<Cel>();
    kinds.forEach((selector, named) -> {
      var kind = object.field("kind");
      var ofKind =
          named.size() == 1
              ? kind.is(named.getFirst())
              : Cel.comparison(kind + " in [" + String.join(", ", named) + "]");
      any.add(ofKind.and(selector.apiVersion(object.field("apiVersion"))));
    });
    return Cel.any(any);
  }

  private KindSelector ofAnyKind() {
    return new KindSelector(group, version, ANY);
  }

  private Cel apiVersion(Place apiVersion) {
    if (group.equals(ANY)) {
      return version.equals(ANY)
          ? Cel.TRUE
          : apiVersion
              .is(Cel.quoted(version))
              .or(Cel.call(apiVersion + ".endsWith(" + Cel.quoted("/" + version) + ")"));
    }
    if (version.equals(ANY)) {
      return group.isEmpty()
          ? Cel.call("!" + apiVersion + ".contains(\"/\")")
          : Cel.call(apiVersion + ".startsWith(" + Cel.quoted(group + "/") + ")");
    }
    return apiVersion.is(Cel.quoted(group.isEmpty() ? version : group + "/" + version));
  }

  /// Returns the `resourceRules` by which the API server selects requests.
  ///
  /// @param at the value to blame if the resources of a kind are not known
  static List<Value> resourceRules(
      Collection<KindSelector> selectors, List<String> operations, Value at) {
    var resources = new LinkedHashMap<KindSelector, List<String>>();
    for (var selector : selectors) {
      resources
          .computeIfAbsent(selector.ofAnyKind(), _ -> new ArrayList<>())
          .addAll(selector.resources(at));
    }
    var rules = new ArrayList<Value>();
    resources.forEach((selector, named) ->
        rules.add(
            Value.Mapping.EMPTY
                .with("apiGroups", texts(List.of(selector.group)))
                .with("apiVersions", texts(List.of(selector.version)))
                .with("operations", texts(operations))
                .with("resources", texts(named))));
    return rules;
  }

  private List<String> resources(Value at) {
    if (isPod() && (group.equals(ANY) || group.isEmpty())) {
      // A rule for Pods also matches the subresource ephemeralcontainers (CheckKind).
      return List.of("pods", "pods/ephemeralcontainers");
    }
    return ResourceNames.of(kind)
        .orElseGet(() -> {
          if (group.equals(ANY)) {
            throw Untranslatable.value(
                at,
                "a custom resource without its group in kinds",
                "write the group, e.g. argoproj.io/*/Application, so that its resources are"
                    + " known");
          }
          return List.of(ANY);
        });
  }

  private static Value texts(List<String> texts) {
    return new Value.Sequence(texts.stream().map(text -> (Value) new Value.Text(text)).toList());
  }
}
