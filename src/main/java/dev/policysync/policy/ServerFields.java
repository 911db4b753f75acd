package dev.policysync.policy;

import dev.policysync.base.Value;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;

/// What a manifest carries although only the API server or another tool may set it: a feed made of
/// exported objects is full of it.
public final class ServerFields {
  private static final Set<String> IN_METADATA =
      Set.of(
          "creationTimestamp",
          "deletionGracePeriodSeconds",
          "deletionTimestamp",
          "finalizers",
          "generation",
          "managedFields",
          "ownerReferences",
          "resourceVersion",
          "selfLink",
          "uid");

  /// What client-side `kubectl apply` leaves behind: the manifest as a JSON text.
  public static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

  private ServerFields() {}

  /// A manifest without them, the rest in its order.
  public static Value.Mapping removed(Value.Mapping manifest) {
    var metadata = new LinkedHashMap<>(manifest.mapping("metadata").fields());
    metadata.keySet().removeAll(IN_METADATA);
    var annotations = manifest.mapping("metadata").mapping("annotations").without(LAST_APPLIED);
    metadata.replace("annotations", annotations);
    for (var field : List.of("annotations", "labels")) {
      metadata.remove(field, Value.Mapping.EMPTY);
      metadata.remove(field, Value.Null.NULL);
    }
    return manifest.without("status").with("metadata", new Value.Mapping(metadata));
  }
}
