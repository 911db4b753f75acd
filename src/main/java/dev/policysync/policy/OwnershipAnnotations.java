package dev.policysync.policy;

import dev.policysync.base.Value;
import java.util.List;
import java.util.Optional;

/// The annotations and the label by which a policy in the cluster is known as ours.
public final class OwnershipAnnotations {
  /// Whose it is; the annotation that the remote API's documentation promises to users.
  public static final String OWNED_BY = "insights.fairwinds.com/owned-by";

  /// The only value of [#OWNED_BY] that counts.
  public static final String OWNER = "Fairwinds Insights";

  /// What was applied: the policy's own key and its digest,
  /// `ClusterPolicy.kyverno.io/team-label@sha256:2c26…`. On a copy it names the original.
  public static final String APPLIED = "policysync.dev/applied";

  /// Which source applied it: `acme/prod-1`.
  public static final String SOURCE = "policysync.dev/source";

  /// Of a policy that the agent made of one of the feed: that one's key. It counts on what the
  /// agent itself wrote, and a feed's own is not applied: the budget of removals goes by it.
  public static final String SUCCESSOR_OF = "policysync.dev/successor-of";

  /// The same while it only rehearses what that one does.
  public static final String REHEARSES = "policysync.dev/rehearses";

  /// `disabled` keeps a policy that left the feed.
  public static final String PRUNE = "policysync.dev/prune";

  /// `disabled` on a live policy: neither update nor remove it, nor take it over. It counts on the
  /// live object alone: what a feed says of it is not applied, or a feed could switch itself off.
  public static final String RECONCILE = "policysync.dev/reconcile";

  /// The value of [#PRUNE] and [#RECONCILE] that counts.
  public static final String DISABLED = "disabled";

  /// The annotations by which a policy is judged.
  public static final List<String> ON_POLICIES =
      List.of(OWNED_BY, APPLIED, SOURCE, SUCCESSOR_OF, REHEARSES, PRUNE, RECONCILE);

  /// A label beside the annotations, because nobody can select by an annotation.
  public static final String MANAGED_LABEL = "policysync.dev/managed";

  private OwnershipAnnotations() {}

  /// What the labels and annotations of an object say of its content, as a text: those by which
  /// Kyverno goes, and our label where it is not as we set it. Two objects of one text say the
  /// same.
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

  /// An object without our marks, and without what kubectl leaves on an object that it applied:
  /// what of it is not bookkeeping.
  public static Value.Mapping without(Value.Mapping object) {
    return without(
        object,
        List.of(OWNED_BY, APPLIED, SOURCE, SUCCESSOR_OF, REHEARSES, ServerFields.LAST_APPLIED));
  }

  /// The same, but it still says whose it is.
  public static Value.Mapping withoutBookkeeping(Value.Mapping object) {
    return without(
        object, List.of(APPLIED, SOURCE, SUCCESSOR_OF, REHEARSES, ServerFields.LAST_APPLIED));
  }

  private static Value.Mapping without(Value.Mapping object, List<String> marks) {
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
