package dev.policysync.policy;

import dev.policysync.base.Value;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;

/// Fields of a manifest that only the API server or another tool may set. A feed made of exported
/// objects is full of such fields.
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

  /// The annotation of client-side `kubectl apply`, which holds the manifest as a JSON text.
  public static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

  private ServerFields() {}

  /// Removes these fields from a manifest; the other fields keep their order.
  public static Value.Mapping removeFrom(Value.Mapping manifest) {
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
