package dev.policysync.statemachine;

import dev.policysync.base.Value;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// An object in the cluster exactly as the API server shows it, and whose it is by promise 2.
///
/// @param source of the agent that it is ours or another's to
record ObservedObject(String source, ObjectKey objectKey, Value.Mapping object) {
  /// Whom the agent works for.
  static final String SOURCE = "acme/prod-1";

  /// Whom it works for where somebody has renamed the cluster.
  static final String ANOTHER_SOURCE = "acme/prod-2";

  static final String OWNED_BY = "insights.fairwinds.com/owned-by";
  static final String APPLIED = "policysync.dev/applied";
  static final String SOURCE_MARK = "policysync.dev/source";
  static final String PRUNE = "policysync.dev/prune";
  static final String MANAGED = "policysync.dev/managed";
  static final String RECONCILE = "policysync.dev/reconcile";

  /// Whose an object is.
  enum Standing {
    OURS,
    UNOWNED,
    MADE_BY_ANOTHER_OBJECT,
    COPY,
    ANOTHER_SOURCES
  }

  /// "Managed only if it carries owned-by, has no ownerReferences, and is not a copy or another
  /// source's: where the other two marks are present, they must name this very object and this
  /// agent's source."
  Standing standing() {
    if (!metadata().items("ownerReferences").isEmpty()) {
      return Standing.MADE_BY_ANOTHER_OBJECT;
    }
    if (!marked()) {
      return Standing.UNOWNED;
    }
    if (annotation(APPLIED)
        .filter(mark -> !mark.startsWith(objectKey.signature() + "@"))
        .isPresent()) {
      return Standing.COPY;
    }
    return annotation(SOURCE_MARK).filter(other -> !other.equals(source)).isPresent()
        ? Standing.ANOTHER_SOURCES
        : Standing.OURS;
  }

  /// Whether it carries the owner's annotation, rightly or not.
  boolean marked() {
    return annotation(OWNED_BY).equals(Optional.of("Fairwinds Insights"));
  }

  boolean ours() {
    return standing() == Standing.OURS;
  }

  /// Whether somebody asked to delete it, and a finalizer is in the way.
  boolean terminating() {
    return metadata().field("deletionTimestamp").isPresent();
  }

  /// Whether somebody asked to leave it alone.
  boolean paused() {
    return annotation(RECONCILE).equals(Optional.of("disabled"));
  }

  /// Whether it may be removed once nobody expects it.
  boolean removable() {
    return ours()
        && !terminating()
        && !paused()
        && !annotation(PRUNE).equals(Optional.of("disabled"));
  }

  /// The same object to the agent of that source.
  ObservedObject to(String other) {
    return new ObservedObject(other, objectKey, object);
  }

  String uid() {
    return metadata().text("uid").orElseThrow();
  }

  Value.Mapping metadata() {
    return object.mapping("metadata");
  }

  Value.Mapping spec() {
    return object.mapping("spec");
  }

  SortedMap<String, String> annotations() {
    return texts("annotations");
  }

  SortedMap<String, String> labels() {
    return texts("labels");
  }

  private Optional<String> annotation(String name) {
    return metadata().mapping("annotations").text(name);
  }

  private SortedMap<String, String> texts(String field) {
    var texts = new TreeMap<String, String>();
    var mapping = metadata().mapping(field);
    mapping.fields().keySet().forEach(name -> texts.put(name, mapping.text(name).orElse("")));
    return texts;
  }

  @Override
  public String toString() {
    return objectKey
        + " ("
        + standing()
        + (terminating() ? ", terminating" : "")
        + (paused() ? ", paused)" : ")");
  }
}
