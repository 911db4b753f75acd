package dev.policysync.convert;

import java.util.Locale;

/// A type of a JSON value.
enum JsonType {
  NULL,
  BOOL,
  NUMBER,
  STRING,
  LIST,
  MAP;

  Cel test(String expression) {
    return switch (this) {
      case NULL -> Cel.comparison(expression + " == null");
      case NUMBER ->
          Cel.comparison("type(" + expression + ") == int")
              .or(Cel.comparison("type(" + expression + ") == double"));
      case BOOL, STRING, LIST, MAP ->
          Cel.comparison("type(" + expression + ") == " + name().toLowerCase(Locale.ROOT));
    };
  }
}
