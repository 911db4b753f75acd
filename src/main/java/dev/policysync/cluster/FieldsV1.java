package dev.policysync.cluster;

import dev.policysync.ownership.FieldOwnership;
import dev.policysync.ownership.FieldSet;
import dev.policysync.ownership.ManagedFields;
import dev.policysync.ownership.PathElement;
import dev.policysync.yaml.Json;
import dev.policysync.yaml.Value;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/// `metadata.managedFields` from and to the API server's JSON. An entry of an unknown form is
/// dropped, and so owns nothing: that reads as drift, never as in sync.
final class FieldsV1 {
  /// The field of an entry that says which fields it is about.
  static final String FIELDS = "fieldsV1";

  private static final String SELF = ".";

  private FieldsV1() {}

  static FieldOwnership read(List<Value> managedFields) {
    var entries = new ArrayList<ManagedFields>();
    for (var value : managedFields) {
      if (value instanceof Value.Mapping entry) {
        entries.add(
            entry(
                entry.text("manager").orElse(""),
                entry.text("operation").orElse(""),
                entry.text("apiVersion").orElse(""),
                entry.text("subresource").orElse(""),
                entry.mapping(FIELDS)));
      }
    }
    return new FieldOwnership(entries);
  }

  /// One entry, whose root has no path: an empty one is nothing, not a leaf.
  static ManagedFields entry(
      String manager,
      String operation,
      String apiVersion,
      String subresource,
      Value.Mapping fields) {
    return new ManagedFields(
        manager,
        operation,
        apiVersion,
        subresource,
        fields.fields().isEmpty() ? FieldSet.NONE : tree(fields));
  }

  /// The list as the API server takes it back; times are left for it to set.
  static Value.Sequence write(FieldOwnership ownership) {
    var entries = new ArrayList<Value>();
    for (var entry : ownership.entries()) {
      var fields = new LinkedHashMap<String, Value>();
      fields.put("manager", new Value.Text(entry.manager()));
      fields.put("operation", new Value.Text(entry.operation()));
      fields.put("apiVersion", new Value.Text(entry.apiVersion()));
      fields.put("fieldsType", new Value.Text("FieldsV1"));
      fields.put(FIELDS, json(entry.fields(), true));
      if (!entry.subresource().isEmpty()) {
        fields.put("subresource", new Value.Text(entry.subresource()));
      }
      entries.add(new Value.Mapping(fields));
    }
    return new Value.Sequence(entries);
  }

  private static FieldSet tree(Value.Mapping node) {
    if (node.fields().isEmpty()) {
      return FieldSet.LEAF;
    }
    var children = new LinkedHashMap<PathElement, FieldSet>();
    var self = false;
    for (var field : node.fields().entrySet()) {
      if (field.getKey().equals(SELF)) {
        self = true;
      } else if (field.getValue() instanceof Value.Mapping below) {
        element(field.getKey()).ifPresent(step -> children.put(step, tree(below)));
      }
    }
    return new FieldSet(self, children);
  }

  private static Optional<PathElement> element(String step) {
    if (step.length() < 2 || step.charAt(1) != ':') {
      return Optional.empty();
    }
    var rest = step.substring(2);
    try {
      return switch (step.charAt(0)) {
        case 'f' -> Optional.of(new PathElement.Field(rest));
        case 'k' ->
            Json.parse(rest) instanceof Value.Mapping key
                ? Optional.of(new PathElement.Key(key))
                : Optional.empty();
        case 'v' -> Optional.of(new PathElement.Item(Json.parse(rest)));
        case 'i' -> Optional.of(new PathElement.Index(Integer.parseInt(rest)));
        default -> Optional.empty();
      };
    } catch (IOException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  private static Value json(FieldSet set, boolean root) {
    var fields = new LinkedHashMap<String, Value>();
    if (set.self() && !root && !set.children().isEmpty()) {
      fields.put(SELF, Value.Mapping.EMPTY);
    }
    set.children().forEach((step, below) -> fields.put(step.toString(), json(below, false)));
    return new Value.Mapping(fields);
  }
}
