package dev.policysync.lint;

import java.util.List;

/// A field or value that the schema rejects.
///
/// @param path the path of the value: `spec`, `rules`, `[0]`, `validate`
/// @param keyword the keyword of JSON Schema: `additionalProperties` for an unknown field,
///   `required` for a missing one
/// @param field the unknown or missing field; otherwise empty
/// @param message a part of a sentence: `unknown field "mesage"; did you mean "message"?`
public record Violation(List<String> path, String keyword, String field, String message) {
  public Violation {
    path = List.copyOf(path);
  }
}
