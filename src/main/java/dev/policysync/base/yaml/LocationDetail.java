package dev.policysync.base.yaml;

import java.util.Set;

/// How much of a document's places is kept: for a sync enough to point at a name or a label, not at
/// each node of a spec, which would cost more memory than the policies themselves; for whoever
/// judges what is written, everything.
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

  /// What is kept of the field of a mapping.
  LocationDetail field(String name) {
    if (this != WITH_CHILDREN) {
      return item();
    }
    return OPENED.contains(name) ? WITH_CHILDREN : ITSELF;
  }

  /// What is kept of an item of a list.
  LocationDetail item() {
    return this == ITSELF ? NO : this;
  }
}
