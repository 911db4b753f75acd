package dev.policysync.report.view;

import dev.policysync.report.Resource;
import java.util.Map;
import java.util.Optional;

/// The owners of resources, from a label of namespaces: `team` → `payments`. Reports contain no
/// labels of the resources that they are about, in any of Kyverno's report layouts, so the label of
/// the namespace counts.
///
/// @param label the label's key
/// @param byNamespace the label's value for each namespace with that label
/// @param readable whether namespaces could be listed; if not, every owner is unknown
public record Owners(String label, Map<String, String> byNamespace, boolean readable) {
  /// The display text for an unknown owner.
  public static final String UNKNOWN = "unknown";

  public Owners {
    byNamespace = Map.copyOf(byNamespace);
  }

  /// Returns the owner of a resource; for a Namespace, the value of its own label.
  Optional<String> of(Resource resource) {
    var namespace =
        resource.namespace().isEmpty() && resource.kind().equals("Namespace")
            ? resource.name()
            : resource.namespace();
    return Optional.ofNullable(byNamespace.get(namespace)).filter(owner -> !owner.isEmpty());
  }
}
