package dev.policysync.schema;

import dev.policysync.base.Value;
import java.util.LinkedHashMap;

/// The API server's OpenAPI, in which types refer to each other by name, as one schema for each
/// kind.
final class OpenApi {
  private static final String PREFIX = "#/components/schemas/";

  private OpenApi() {}

  /// Returns a schema with the referenced schemas in the places of their references.
  static Value.Mapping inlined(Value.Mapping schema, Value.Mapping components) {
    var reference = schema.text("$ref");
    if (reference.isPresent()) {
      return inlined(components.mapping(reference.get().substring(PREFIX.length())), components);
    }
    // A field with a default has its type in an `allOf` of one.
    var all = schema.mappings("allOf");
    if (all.size() == 1) {
      return inlined(all.getFirst(), components);
    }
    var properties = new LinkedHashMap<String, Value>();
    schema
        .mapping("properties")
        .fields()
        .forEach((name, child) ->
            properties.put(
                name,
                name.equals("metadata") ? child : inlined((Value.Mapping) child, components)));
    var result =
        properties.isEmpty() ? schema : schema.with("properties", new Value.Mapping(properties));
    for (var below : new String[] {"items", "additionalProperties"}) {
      if (schema.fields().get(below) instanceof Value.Mapping child) {
        result = result.with(below, inlined(child, components));
      }
    }
    return result;
  }
}
