package dev.policysync.lint.expression;

import java.util.Locale;

/// The type of an expression as far as the text tells it.
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
  /// Of a part of an object, which CEL's checker lets be anything: `object.spec.paused`.
  DYN,
  /// Not seen here, because types of functions and variables would have to be known.
  UNKNOWN;

  boolean known() {
    return this != DYN && this != UNKNOWN;
  }

  boolean number() {
    return this == INT || this == UINT || this == DOUBLE;
  }

  /// `string`, as CEL calls it.
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
