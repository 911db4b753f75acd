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
/// @param fields its content
/// @param source the stream that it stands in
/// @param document the number of its document there
/// @param location where it begins
/// @param nodeLocations where the upper nodes of its document stand
/// @param excerpt its text, where that is nobody else's
record ManifestObject(
    Value.Mapping fields,
    String source,
    int document,
    Location location,
    NodeLocations nodeLocations,
    Optional<Excerpt> excerpt) {
  private static final String LIST = "List";
  private static final Set<Value> NOTHING_MORE = Set.of(new Value.Text(""), new Value.Numeric("0"));

  /// One without a text of its own.
  ManifestObject(
      Value.Mapping fields,
      String source,
      int document,
      Location location,
      NodeLocations nodeLocations) {
    this(fields, source, document, location, nodeLocations, Optional.empty());
  }

  /// Where it begins.
  Position position() {
    return Position.of(source, document, location);
  }

  /// Where a node of it stands; if that was not kept, where the object begins.
  Position position(Value node) {
    return Position.of(source, document, nodeLocations.of(node, location));
  }

  /// Whether it says what it is, as every Kubernetes object does.
  boolean saysWhatItIs() {
    return fields.text("apiVersion").isPresent() && fields.text("kind").isPresent();
  }

  /// Whether it is a `List`, or a list of one kind such as `ClusterPolicyList`.
  boolean isList() {
    return saysWhatItIs() && kind().endsWith(LIST);
  }

  /// Whether it is one page of a longer list: the API server says so in a list's metadata
  /// (`ListMeta`), and so it is there in whatever was saved from `kubectl get --raw` or a program.
  boolean isPageOfAList() {
    var metadata = fields.mapping("metadata");
    return isList()
        && Stream.of("continue", "remainingItemCount")
            .flatMap(field -> metadata.field(field).stream())
            .anyMatch(value -> !NOTHING_MORE.contains(value));
  }

  /// The items of a list, if they are there.
  Optional<List<Value>> items() {
    return fields.fields().get("items") instanceof Value.Sequence(var items)
        ? Optional.of(items)
        : Optional.empty();
  }

  /// An item of this list. One that does not say its kind has it from the list, as the API server's
  /// own lists mean it: the items of a `ValidatingAdmissionPolicyList` are such policies.
  ManifestObject item(Value.Mapping item) {
    var itemKind = kind().substring(0, kind().length() - LIST.length());
    var complete =
        item.field("kind").isPresent() || itemKind.isEmpty()
            ? item
            : item.with("apiVersion", new Value.Text(fields.text("apiVersion").orElse("")))
                .with("kind", new Value.Text(itemKind));
    return new ManifestObject(
        complete, source, document, nodeLocations.of(item, location), nodeLocations);
  }

  private String kind() {
    return fields.text("kind").orElse("");
  }
}
