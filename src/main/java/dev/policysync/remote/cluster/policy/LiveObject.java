package dev.policysync.remote.cluster.policy;

import dev.policysync.base.Value;
import dev.policysync.plan.LivePolicy;
import dev.policysync.plan.LiveStatus.Readiness;
import dev.policysync.plan.ObjectVersion;
import dev.policysync.plan.managedfields.FieldOwnership;
import dev.policysync.plan.managedfields.OwnershipRecord;
import dev.policysync.policy.OwnershipAnnotations;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// Reads an object's metadata from a list item, a single object or the response to a write.
final class LiveObject {
  private static final OwnershipRecord NO_OWNERSHIP = new FieldOwnership(List.of());

  private LiveObject() {}

  /// Reads an object and parses its managed fields at once.
  static LivePolicy of(PolicyKind kind, Value.Mapping object) {
    return read(kind, object, Readiness.UNKNOWN, FieldsV1::read, UnaryOperator.identity());
  }

  /// Reads an object of a list, whose [FieldsV1#FIELDS] are text.
  ///
  /// @param readiness the readiness in the list's table, outside the metadata
  /// @param shared returns the same instance for equal texts
  static LivePolicy listed(
      PolicyKind kind, Value.Mapping object, Readiness readiness, UnaryOperator<String> shared) {
    return read(kind, object, readiness, fields -> ListedOwnership.of(fields, shared), shared);
  }

  private static LivePolicy read(
      PolicyKind kind,
      Value.Mapping object,
      Readiness readiness,
      Function<List<Value>, OwnershipRecord> managedFields,
      UnaryOperator<String> shared) {
    var metadata = object.mapping("metadata");
    var annotations = new HashMap<String, String>();
    metadata
        .mapping("annotations")
        .fields()
        .forEach((name, value) -> {
          if (value instanceof Value.Text(var text)
              && OwnershipAnnotations.ON_POLICIES.contains(name)) {
            annotations.put(name, text);
          }
        });
    return new LivePolicy(
        new PolicyId(
            kind,
            kind.namespaced() ? metadata.text("namespace") : Optional.empty(),
            metadata.text("name").orElse("")),
        new ObjectVersion(
            metadata.text("uid").orElse(""), metadata.text("resourceVersion").orElse("")),
        generation(metadata),
        !metadata.items("ownerReferences").isEmpty(),
        metadata.field("deletionTimestamp").isPresent(),
        annotations,
        annotations.containsKey(OwnershipAnnotations.OWNED_BY)
            ? managedFields.apply(metadata.items("managedFields"))
            : NO_OWNERSHIP,
        LiveStatusReader.of(kind, readiness, metadata, annotations),
        shared.apply(OwnershipAnnotations.content(metadata)));
  }

  private static long generation(Value.Mapping metadata) {
    return metadata.fields().get("generation") instanceof Value.Numeric(var literal)
        ? Long.parseLong(literal)
        : 0;
  }
}
