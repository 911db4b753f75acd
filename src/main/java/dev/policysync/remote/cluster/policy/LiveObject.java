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

/// Reads an object's metadata, from a list item, a single object or the answer to a write.
final class LiveObject {
  private static final OwnershipRecord NOBODY_ASKS = new FieldOwnership(List.of());

  private LiveObject() {}

  /// An object whose managed fields are looked into at once.
  static LivePolicy of(PolicyKind kind, Value.Mapping object) {
    return read(kind, object, Readiness.UNKNOWN, FieldsV1::read, UnaryOperator.identity());
  }

  /// One of many, of which [FieldsV1#FIELDS] were left as text.
  ///
  /// @param readiness what the list says of it beside its metadata
  /// @param shared gives of equal texts always the same one
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
            : NOBODY_ASKS,
        LiveStatusReader.of(kind, readiness, metadata, annotations),
        shared.apply(OwnershipAnnotations.content(metadata)));
  }

  private static long generation(Value.Mapping metadata) {
    return metadata.fields().get("generation") instanceof Value.Numeric(var literal)
        ? Long.parseLong(literal)
        : 0;
  }
}
