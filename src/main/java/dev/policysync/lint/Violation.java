package dev.policysync.lint;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.JsonNodePath;
import com.networknt.schema.ValidationMessage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A field or value that the schema rejects, described in plain words.
///
/// @param path the path of the value: `spec`, `rules`, `[0]`, `validate`
/// @param keyword the keyword of JSON Schema: `additionalProperties` for an unknown field,
///   `required` for a missing one
/// @param field the unknown or missing field; otherwise empty
/// @param message a part of a sentence: `unknown field "mesage"; did you mean "message"?`
public record Violation(List<String> path, String keyword, String field, String message) {
  private static final int SIMILAR = 3;

  public Violation {
    path = List.copyOf(path);
  }

  /// @param document the schemas, from which similar field names are suggested
  static Violation of(ValidationMessage message, JsonNode document) {
    var path = steps(message.getInstanceLocation());
    var field = Optional.ofNullable(message.getProperty()).orElse("");
    var keyword = message.getType();
    var schema = schemaOf(message, document);
    return new Violation(
        path,
        keyword,
        field,
        switch (keyword) {
          case "additionalProperties" ->
              "unknown field \"" + field + "\"" + suggestion(field, schema);
          case "required" -> "the field \"" + field + "\" is missing";
          case "enum" -> "not one of the values " + texts(schema.path("enum"));
          case "type" -> "not of the type " + texts(schema.path("type"));
          case "pattern" -> "does not match " + schema.path("pattern").asText();
          case "uniqueItems" -> "the same value is in the list twice";
          case "oneOf", "anyOf", "allOf", "not" ->
              "a combination of fields that the schema does not allow";
          default -> "breaks " + keyword + " " + schema.path(keyword).asText() + " of the schema";
        });
  }

  private static List<String> steps(JsonNodePath location) {
    var steps = new ArrayList<String>();
    for (int i = 0; i < location.getNameCount(); i++) {
      steps.add(
          location.getElement(i) instanceof Integer index
              ? "[" + index + "]"
              : String.valueOf(location.getElement(i)));
    }
    return steps;
  }

  private static JsonNode schemaOf(ValidationMessage message, JsonNode document) {
    var fragment = message.getSchemaLocation().getFragment();
    var schema = document;
    for (int i = 0; i < fragment.getNameCount() - 1; i++) {
      var step = fragment.getElement(i);
      schema =
          step instanceof Integer index ? schema.path(index) : schema.path(String.valueOf(step));
    }
    return schema;
  }

  private static String texts(JsonNode values) {
    var all = values.isArray() ? values.valueStream() : Stream.of(values);
    return all.map(JsonNode::asText)
        .map(text -> text.isEmpty() ? "\"\"" : text)
        .collect(Collectors.joining(", "));
  }

  private static String suggestion(String field, JsonNode schema) {
    return schema
        .path("properties")
        .propertyStream()
        .map(property -> property.getKey())
        .filter(known -> distance(field, known) < Math.min(SIMILAR, field.length()))
        .min(Comparator.comparingInt(known -> distance(field, known)))
        .map(known -> "; did you mean \"" + known + "\"?")
        .orElse("");
  }

  /// Returns the Levenshtein distance: how many characters have to be added, removed or changed,
  /// ignoring case.
  private static int distance(String one, String other) {
    var a = one.toLowerCase(Locale.ROOT);
    var b = other.toLowerCase(Locale.ROOT);
    var row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      var before = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        var change = before + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        before = row[j];
        row[j] = Math.min(change, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
