package dev.policysync.policy.feed;

import dev.policysync.base.Value;
import dev.policysync.base.yaml.Excerpt;
import dev.policysync.base.yaml.Location;
import dev.policysync.base.yaml.NodeLocations;
import dev.policysync.policy.Position;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// One object of the feed: a document, or an item of a document that is a list.
///
/// @param fields the object's content
/// @param source the name of the object's stream
/// @param document the number of the object's document in the stream
/// @param location where the object begins
/// @param nodeLocations the locations of the upper nodes of the document
/// @param excerpt the object's text, unless that text belongs to several objects
record ManifestObject(
    Value.Mapping fields,
    String source,
    int document,
    Location location,
    NodeLocations nodeLocations,
    Optional<Excerpt> excerpt) {
  private static final String LIST = "List";
  private static final Set<Value> NOTHING_MORE = Set.of(new Value.Text(""), new Value.Numeric("0"));

  ManifestObject(
      Value.Mapping fields,
      String source,
      int document,
      Location location,
      NodeLocations nodeLocations) {
    this(fields, source, document, location, nodeLocations, Optional.empty());
  }

  Position position() {
    return Position.of(source, document, location);
  }

  /// Returns the position of a node, or of the object if the node's location was not recorded.
  Position position(Value node) {
    return Position.of(source, document, nodeLocations.of(node, location));
  }

  /// Returns whether the object has an apiVersion and a kind, as every Kubernetes object does.
  boolean hasApiVersionAndKind() {
    return fields.text("apiVersion").isPresent() && fields.text("kind").isPresent();
  }

  /// Returns whether the object is a `List`, or a list of one kind such as `ClusterPolicyList`.
  boolean isList() {
    return hasApiVersionAndKind() && kind().endsWith(LIST);
  }

  /// Returns whether the object is one page of a longer list. The API server marks pages in the
  /// list's metadata (`ListMeta`), and the output of `kubectl get --raw` or of a program keeps this
  /// mark when it is saved.
  boolean isPageOfAList() {
    var metadata = fields.mapping("metadata");
    return isList()
        && Stream.of("continue", "remainingItemCount")
            .flatMap(field -> metadata.field(field).stream())
            .anyMatch(value -> !NOTHING_MORE.contains(value));
  }

  /// Returns the items of a list; empty if the object has no field `items` with a list.
  Optional<List<Value>> items() {
    return fields.fields().get("items") instanceof Value.Sequence(var items)
        ? Optional.of(items)
        : Optional.empty();
  }

  /// Returns an item of this list as an object. An item without a kind gets the kind from the list,
  /// as in the API server's own lists: the items of a `ValidatingAdmissionPolicyList` are policies
  /// of that kind.
  ManifestObject item(Value.Mapping item) {
    var itemKind = kind().substring(0, kind().length() - LIST.length());
    var complete =
        item.field("kind").isPresent() || itemKind.isEmpty()
            ? item
            : item.with("apiVersion", fields.text("apiVersion").orElse("")).with("kind", itemKind);
    return new ManifestObject(
        complete, source, document, nodeLocations.of(item, location), nodeLocations);
  }

  private String kind() {
    return fields.text("kind").orElse("");
  }
}
