package dev.policysync.policy.admission;

import java.util.List;
import java.util.stream.Stream;

/// A value that the API server rejects, and why.
///
/// @param path where the value is, or where it is missing: `spec`, `matchConstraints`,
///   `resourceRules`, `[0]`
/// @param reason what is wrong with it, without the value: `no operation is named`
public record FieldFault(List<String> path, String reason) {
  public FieldFault {
    path = List.copyOf(path);
  }

  static FieldFault at(String field, String reason) {
    return new FieldFault(List.of(field), reason);
  }

  /// Returns the fault as seen from a mapping or list that contains the value.
  public FieldFault below(String... steps) {
    return new FieldFault(Stream.concat(Stream.of(steps), path.stream()).toList(), reason);
  }

  /// Returns the path and the reason: `spec.matchConstraints.resourceRules[0].scope: …`.
  public String text() {
    return String.join(".", path).replace(".[", "[") + ": " + reason;
  }
}
