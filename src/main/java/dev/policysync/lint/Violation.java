package dev.policysync.lint;

import java.util.List;

/// What the schema does not take.
///
/// @param path where: `spec`, `rules`, `[0]`, `validate`
/// @param keyword what of the schema it breaks: `additionalProperties` for an unknown field,
///   `required` for a missing one, else JSON Schema's own word
/// @param field the unknown or missing field; empty elsewhere
/// @param message a part of a sentence: `unknown field "mesage"; did you mean "message"?`
public record Violation(List<String> path, String keyword, String field, String message) {
  public Violation {
    path = List.copyOf(path);
  }
}
