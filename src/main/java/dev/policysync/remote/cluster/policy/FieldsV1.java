package dev.policysync.remote.cluster.policy;

import dev.policysync.base.Json;
import dev.policysync.base.Value;
import dev.policysync.plan.managedfields.FieldOwnership;
import dev.policysync.plan.managedfields.FieldSet;
import dev.policysync.plan.managedfields.ManagedFields;
import dev.policysync.plan.managedfields.PathElement;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads and writes `metadata.managedFields` as the API server's JSON. An element of an unknown
/// form is kept as an unknown path element. In our entry it is not part of what we applied, and in
/// another manager's entry it may belong to the spec. Both count as drift, never as in sync.
final class FieldsV1 {
  static final String FIELDS = "fieldsV1";

  private static final String SELF = ".";

  private static final String TYPE = "FieldsV1";

  private static final FieldSet UNKNOWN =
      new FieldSet(false, Map.of(new PathElement.Unknown("?"), FieldSet.LEAF));

  private FieldsV1() {}

  static FieldOwnership read(List<Value> managedFields) {
    var entries = new ArrayList<ManagedFields>();
    for (var value : managedFields) {
      var entry = value instanceof Value.Mapping mapping ? mapping : Value.Mapping.EMPTY;
      entries.add(
          new ManagedFields(
              entry.text("manager").orElse(""),
              entry.text("operation").orElse(""),
              entry.text("apiVersion").orElse(""),
              entry.text("subresource").orElse(""),
              fields(entry.text("fieldsType").orElse(""), entry.field(FIELDS))));
    }
    return new FieldOwnership(entries);
  }

  /// Reads an entry's fields. The root has no path, so an empty root means no fields, not a leaf.
  static FieldSet fields(String type, Optional<Value> fields) {
    if (!type.equals(TYPE)) {
      return UNKNOWN;
    }
    var root = fields.orElse(Value.Mapping.EMPTY);
    return root.equals(Value.Mapping.EMPTY) ? FieldSet.NONE : tree(root);
  }

  /// Writes the list as the API server accepts it; the API server sets the times.
  static Value.Sequence write(FieldOwnership ownership) {
    var entries = new ArrayList<Value>();
    for (var entry : ownership.entries()) {
      var fields = new LinkedHashMap<String, Value>();
      fields.put("manager", new Value.Text(entry.manager()));
      fields.put("operation", new Value.Text(entry.operation()));
      fields.put("apiVersion", new Value.Text(entry.apiVersion()));
      fields.put("fieldsType", new Value.Text(TYPE));
      fields.put(FIELDS, json(entry.fields(), true));
      if (!entry.subresource().isEmpty()) {
        fields.put("subresource", new Value.Text(entry.subresource()));
      }
      entries.add(new Value.Mapping(fields));
    }
    return new Value.Sequence(entries);
  }

  private static FieldSet tree(Value value) {
    if (!(value instanceof Value.Mapping node)) {
      return UNKNOWN;
    }
    if (node.fields().isEmpty()) {
      return FieldSet.LEAF;
    }
    var children = new LinkedHashMap<PathElement, FieldSet>();
    var self = false;
    for (var field : node.fields().entrySet()) {
      if (field.getKey().equals(SELF)) {
        self = true;
      } else {
        children.put(element(field.getKey()), tree(field.getValue()));
      }
    }
    return new FieldSet(self, children);
  }

  private static PathElement element(String step) {
    if (step.length() < 2 || step.charAt(1) != ':') {
      return new PathElement.Unknown(step);
    }
    var rest = step.substring(2);
    try {
      return switch (step.charAt(0)) {
        case 'f' -> new PathElement.Field(rest);
        case 'k' ->
            Json.parse(rest) instanceof Value.Mapping key && !key.fields().isEmpty()
                ? new PathElement.Key(key)
                : new PathElement.Unknown(step);
        case 'v' -> new PathElement.Item(Json.parse(rest));
        case 'i' -> new PathElement.Index(Integer.parseInt(rest));
        default -> new PathElement.Unknown(step);
      };
    } catch (IOException | NumberFormatException e) {
      return new PathElement.Unknown(step);
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
