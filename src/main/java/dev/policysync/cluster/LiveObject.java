package dev.policysync.cluster;

import dev.policysync.ownership.FieldOwnership;
import dev.policysync.plan.LivePolicy;
import dev.policysync.plan.Marks;
import dev.policysync.plan.Version;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.yaml.Value;
import java.util.HashMap;
import java.util.Optional;

/// Reads an object's metadata, from a list item, a single object or the answer to a write.
final class LiveObject {
  private LiveObject() {}

  static LivePolicy of(PolicyKind kind, Value.Mapping object) {
    var metadata = object.mapping("metadata");
    var annotations = new HashMap<String, String>();
    metadata
        .mapping("annotations")
        .fields()
        .forEach((name, value) -> {
          if (value instanceof Value.Text(var text)) {
            annotations.put(name, text);
          }
        });
    return new LivePolicy(
        new PolicyId(
            kind,
            kind.namespaced() ? metadata.text("namespace") : Optional.empty(),
            metadata.text("name").orElse("")),
        new Version(metadata.text("uid").orElse(""), metadata.text("resourceVersion").orElse("")),
        !metadata.items("ownerReferences").isEmpty(),
        metadata.field("deletionTimestamp").isPresent(),
        annotations,
        annotations.containsKey(Marks.OWNED_BY)
            ? FieldsV1.read(metadata.items("managedFields"))
            : new FieldOwnership(java.util.List.of()));
  }
}
