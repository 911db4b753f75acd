package dev.policysync.convert.expression;

import dev.policysync.base.Value;
import java.util.regex.Pattern;

/// Translates a scalar of a pattern, for values that are not lists.
///
/// Source: Kyverno 1.19.0, pkg/engine/pattern: a boolean has to be that boolean; a whole number may
/// be written as a string; null stands for every empty scalar; a string is read as [TextPattern]
/// says.
final class ScalarPattern {
  private static final Pattern WHOLE = Pattern.compile("-?\\d{1,18}");

  private ScalarPattern() {}

  /// Returns whether the pattern accepts null, and so a missing field; false if the pattern is not
  /// a scalar.
  static boolean matchesNull(Value pattern) {
    return switch (pattern) {
      case Value.Null() -> true;
      case Value.Text text -> TextPattern.of(text).matchesNull();
      case Value.Bool _, Value.Numeric _, Value.Mapping _, Value.Sequence _ -> false;
    };
  }

  /// Tests whether the pattern accepts the value at the place, which may be null.
  static Cel matches(Value pattern, Place place) {
    return switch (pattern) {
      case Value.Null() ->
          place.isNull().or(place.is("0")).or(place.is("\"\"")).or(place.is("false"));
      case Value.Bool(var value) -> place.is(Boolean.toString(value));
      case Value.Numeric(var literal) -> number((Value.Numeric) pattern, literal, place);
      case Value.Text text -> {
        var read = TextPattern.of(text);
        yield (read.matchesNull() ? place.isNull() : Cel.FALSE).or(read.matches(place));
      }
      case Value.Mapping _, Value.Sequence _ ->
          throw new IllegalStateException("no scalar: " + pattern);
    };
  }

  private static Cel number(Value.Numeric pattern, String literal, Place place) {
    if (!WHOLE.matcher(literal).matches()) {
      throw Untranslatable.value(
          pattern, "a number with a fraction in a pattern", "compare it in CEL");
    }
    var digits = literal.replace("-", "");
    var sign = digits.equals("0") ? "[+-]?" : literal.startsWith("-") ? "-" : "[+]?";
    return place
        .is(literal)
        .or(
            place
                .is(Place.Type.STRING)
                .and(
                    Cel.call(
                        place
                            + ".matches("
                            + Quoted.text("^" + sign + "0*" + digits + "$")
                            + ")")));
  }
}
