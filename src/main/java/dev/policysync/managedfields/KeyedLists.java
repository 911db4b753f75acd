package dev.policysync.managedfields;

import java.util.HashSet;
import java.util.Set;

/// The lists of our kinds whose items are named by a key, or are a set; all others are atomic. Of
/// one of these that is empty nothing is recorded in managed fields: it has no items, and no path
/// of its own. Source: the published schemas of Kubernetes 1.36.3 and Kyverno 1.19.0.
public final class KeyedLists {
  private static final Set<String> IN_METADATA = Set.of("finalizers", "ownerReferences");

  private KeyedLists() {}

  /// Their names in an object of that kind.
  static Set<String> in(String kind) {
    var all = new HashSet<>(IN_METADATA);
    all.addAll(of(kind));
    return all;
  }

  /// Their names under the spec of that kind; a namespaced kind has those of its counterpart.
  public static Set<String> of(String kind) {
    return switch (kind) {
      case "ValidatingPolicy", "NamespacedValidatingPolicy" ->
          Set.of("matchConditions", "validationActions", "variables");
      case "MutatingPolicy", "NamespacedMutatingPolicy" ->
          Set.of("matchConditions", "targetMatchConditions", "variables");
      case "GeneratingPolicy", "NamespacedGeneratingPolicy", "ValidatingAdmissionPolicy" ->
          Set.of("matchConditions", "variables");
      case "DeletingPolicy", "NamespacedDeletingPolicy" -> Set.of("conditions", "variables");
      case "ImageValidatingPolicy",
          "NamespacedImageValidatingPolicy",
          "ValidatingAdmissionPolicyBinding" ->
          Set.of("validationActions");
      case "MutatingAdmissionPolicy" -> Set.of("matchConditions");
      default -> Set.of();
    };
  }
}
