package dev.policysync.report.view;

import dev.policysync.report.Resource;
import java.util.Map;
import java.util.Optional;

/// Who owns what, by a label of namespaces: `team` → `payments`. Reports carry no label of the
/// resource that they are about, in none of Kyverno's layouts, so that of its namespace counts.
///
/// @param label the label's key
/// @param byNamespace the label's value for each namespace that has it
/// @param readable whether namespaces could be listed; else every owner is unknown
public record Owners(String label, Map<String, String> byNamespace, boolean readable) {
  /// What stands for an owner that is not known.
  public static final String UNKNOWN = "unknown";

  public Owners {
    byNamespace = Map.copyOf(byNamespace);
  }

  /// The owner of that resource; a Namespace has its own.
  Optional<String> of(Resource resource) {
    var namespace =
        resource.namespace().isEmpty() && resource.kind().equals("Namespace")
            ? resource.name()
            : resource.namespace();
    return Optional.ofNullable(byNamespace.get(namespace)).filter(owner -> !owner.isEmpty());
  }
}
