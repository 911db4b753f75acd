package dev.policysync.base.yaml;

import java.util.Set;

/// Selects the locations that are recorded for a document. A sync needs only those of names and
/// labels; the locations of all nodes of a spec would take more memory than the policies
/// themselves. Commands that examine manifests, such as lint, record everything.
enum LocationDetail {
  /// Neither the node nor anything below it.
  NO,
  /// The node, but nothing below it.
  ITSELF,
  /// The node and its direct children.
  WITH_CHILDREN,
  /// The node and everything below it, with the names of fields.
  EVERYTHING;

  private static final Set<String> OPENED = Set.of("items", "metadata", "labels", "annotations");

  /// Returns the detail for the field `name` of a mapping that has this detail.
  LocationDetail field(String name) {
    if (this != WITH_CHILDREN) {
      return item();
    }
    return OPENED.contains(name) ? WITH_CHILDREN : ITSELF;
  }

  /// Returns the detail for an item of a list that has this detail.
  LocationDetail item() {
    return this == ITSELF ? NO : this;
  }
}
