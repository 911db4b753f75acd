package dev.policysync.policy;

import dev.policysync.base.Value;
import java.util.List;
import java.util.Optional;

/// The annotations and the label that mark a live policy as ours.
public final class OwnershipAnnotations {
  /// The owner of a policy. The remote API's documentation promises this annotation to users.
  public static final String OWNED_BY = "insights.fairwinds.com/owned-by";

  /// The only value of [#OWNED_BY] that makes a policy owned.
  public static final String OWNER = "Fairwinds Insights";

  /// The key of the applied policy and the digest of its content,
  /// `ClusterPolicy.kyverno.io/team-label@sha256:2c26…`. On a copy, the key is that of the
  /// original.
  public static final String APPLIED = "policysync.dev/applied";

  /// The source that applied the policy: `acme/prod-1`.
  public static final String SOURCE = "policysync.dev/source";

  /// The key of the legacy policy, on a successor. Only the agent itself sets this annotation; a
  /// value in the feed is not applied, because the removal budget depends on it.
  public static final String SUCCESSOR_OF = "policysync.dev/successor-of";

  /// The key of the legacy policy, on a successor that is still a rehearsal.
  public static final String REHEARSES = "policysync.dev/rehearses";

  /// The value `disabled` keeps a policy that left the feed in the cluster.
  public static final String PRUNE = "policysync.dev/prune";

  /// The value `disabled` on a live policy keeps the agent from updating, removing or adopting the
  /// policy. Only the live object counts. A value in the feed is not applied, because otherwise a
  /// feed could exclude its own policies from the sync.
  public static final String RECONCILE = "policysync.dev/reconcile";

  /// The only value of [#PRUNE] and [#RECONCILE] that has an effect.
  public static final String DISABLED = "disabled";

  /// The annotations that affect how a live policy is treated.
  public static final List<String> ON_POLICIES =
      List.of(OWNED_BY, APPLIED, SOURCE, SUCCESSOR_OF, REHEARSES, PRUNE, RECONCILE);

  /// The label that is set in addition to the annotations, because selectors cannot match
  /// annotations.
  public static final String MANAGED_LABEL = "policysync.dev/managed";

  private OwnershipAnnotations() {}

  /// Returns the labels and annotations that are part of an object's content as one text: those
  /// that Kyverno reads, and our label if its value differs from ours. Two objects with the same
  /// content have the same text.
  public static String content(Value.Mapping metadata) {
    var content = new StringBuilder();
    add(KyvernoMetadata.ANNOTATIONS, metadata.mapping("annotations"), content);
    var labels = metadata.mapping("labels");
    add(KyvernoMetadata.LABELS, labels, content);
    if (!labels.text(MANAGED_LABEL).equals(Optional.of("true"))) {
      content.append(MANAGED_LABEL);
    }
    return content.toString();
  }

  private static void add(List<String> names, Value.Mapping values, StringBuilder content) {
    for (var name : names) {
      values
          .text(name)
          .ifPresent(value -> content.append(name).append('=').append(value).append('\n'));
    }
  }

  /// Removes our bookkeeping from an object: the annotations and the label that the agent sets, and
  /// the annotation that kubectl leaves on an object that it applied.
  public static Value.Mapping removeFrom(Value.Mapping object) {
    return removeFrom(
        object,
        List.of(OWNED_BY, APPLIED, SOURCE, SUCCESSOR_OF, REHEARSES, ServerFields.LAST_APPLIED));
  }

  /// Removes our bookkeeping from an object, but keeps [#OWNED_BY].
  public static Value.Mapping removeBookkeepingFrom(Value.Mapping object) {
    return removeFrom(
        object, List.of(APPLIED, SOURCE, SUCCESSOR_OF, REHEARSES, ServerFields.LAST_APPLIED));
  }

  private static Value.Mapping removeFrom(Value.Mapping object, List<String> marks) {
    var metadata = object.mapping("metadata");
    var annotations = metadata.mapping("annotations");
    for (var mark : marks) {
      annotations = annotations.without(mark);
    }
    metadata = orNone(metadata, "annotations", annotations);
    var labels = metadata.mapping("labels").without(MANAGED_LABEL);
    return object.with("metadata", orNone(metadata, "labels", labels));
  }

  private static Value.Mapping orNone(Value.Mapping metadata, String name, Value.Mapping value) {
    return value.fields().isEmpty() ? metadata.without(name) : metadata.with(name, value);
  }
}
