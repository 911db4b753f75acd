package dev.policysync.lint.expression;

import java.util.Locale;

/// The type of a CEL expression, as far as its text shows it.
///
/// @see <a href="https://github.com/google/cel-spec/blob/master/doc/langdef.md#values">CEL</a>
public enum CelType {
  BOOL,
  INT,
  UINT,
  DOUBLE,
  STRING,
  BYTES,
  NULL,
  LIST,
  MAP,
  /// The type of a part of an object, `object.spec.paused`, which CEL's checker accepts as any
  /// type.
  DYN,
  /// The type is not known here, because it depends on declarations of functions and variables.
  UNKNOWN;

  boolean known() {
    return this != DYN && this != UNKNOWN;
  }

  boolean number() {
    return this == INT || this == UINT || this == DOUBLE;
  }

  /// Returns CEL's name of the type: `string`.
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
