package dev.policysync.schema;

import dev.policysync.base.CanonicalJson;
import dev.policysync.base.Value;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Kubernetes' structural schemas as JSON Schema: what the API server refuses when an object is
/// applied, unknown fields included
/// (<https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#specifying-a-structural-schema>).
/// Descriptions, defaults and rules in CEL are left out.
final class JsonSchemas {
  /// A part that is shorter than a reference to it would hardly be.
  private static final int WORTH_SHARING = 120;

  private static final List<String> KEPT =
      List.of(
          "type",
          "enum",
          "pattern",
          "minLength",
          "maxLength",
          "minimum",
          "maximum",
          "minItems",
          "maxItems",
          "required");

  private final Map<String, String> names = new HashMap<>();
  private final Map<String, Value> definitions = new LinkedHashMap<>();

  /// The name of the definition of a whole object, whose metadata are the API server's to judge.
  String root(Value.Mapping schema) {
    var properties = schema.mapping("properties").with("metadata", open());
    return named(converted(schema.with("properties", properties).without("required"), true));
  }

  Value.Mapping definitions() {
    return new Value.Mapping(definitions);
  }

  private static Value.Mapping open() {
    return new Value.Mapping(Map.of("x-kubernetes-preserve-unknown-fields", new Value.Bool(true)));
  }

  /// @param structural whether this describes a place; the parts of an `anyOf` only restrict it
  private Value.Mapping converted(Value.Mapping schema, boolean structural) {
    var result = new LinkedHashMap<String, Value>();
    for (var keyword : KEPT) {
      schema.field(keyword).ifPresent(value -> result.put(keyword, value));
    }
    if (is(schema, "x-kubernetes-int-or-string")) {
      result.put(
          "type", new Value.Sequence(List.of(new Value.Text("integer"), new Value.Text("string"))));
      return new Value.Mapping(result);
    }
    var properties = new LinkedHashMap<String, Value>();
    schema
        .mapping("properties")
        .fields()
        .forEach((name, child) ->
            properties.put(name, shared(converted((Value.Mapping) child, structural))));
    if (!properties.isEmpty()) {
      result.put("properties", new Value.Mapping(properties));
    }
    var additional = schema.fields().get("additionalProperties");
    if (additional instanceof Value.Mapping mapping) {
      result.put("additionalProperties", shared(converted(mapping, structural)));
    } else if (structural
        && additional == null
        && schema.text("type").filter("object"::equals).isPresent()
        && !is(schema, "x-kubernetes-preserve-unknown-fields")) {
      result.put("additionalProperties", new Value.Bool(false));
    }
    if (schema.fields().get("items") instanceof Value.Mapping items) {
      result.put("items", shared(converted(items, structural)));
    }
    if (schema.text("x-kubernetes-list-type").filter("set"::equals).isPresent()) {
      result.put("uniqueItems", new Value.Bool(true));
    }
    for (var keyword : List.of("anyOf", "oneOf", "allOf")) {
      if (schema.fields().get(keyword) instanceof Value.Sequence(var parts)) {
        result.put(
            keyword,
            new Value.Sequence(
                parts.stream()
                    .<Value>map(part -> converted((Value.Mapping) part, false))
                    .toList()));
      }
    }
    if (schema.fields().get("not") instanceof Value.Mapping not) {
      result.put("not", converted(not, false));
    }
    return new Value.Mapping(result);
  }

  private Value shared(Value.Mapping schema) {
    return CanonicalJson.write(schema).length() < WORTH_SHARING
        ? schema
        : new Value.Mapping(Map.of("$ref", new Value.Text("#/$defs/" + named(schema))));
  }

  private String named(Value.Mapping schema) {
    var json = CanonicalJson.write(schema);
    var known = names.get(json);
    if (known != null) {
      return known;
    }
    var name = String.valueOf(names.size() + 1);
    names.put(json, name);
    definitions.put(name, schema);
    return name;
  }

  private static boolean is(Value.Mapping schema, String flag) {
    return schema.field(flag).filter(new Value.Bool(true)::equals).isPresent();
  }
}
