package dev.policysync.convert.expression;

import dev.policysync.base.Value;
import java.util.regex.Pattern;

/// One condition of a string pattern: an operator and its operand.
///
/// Source: Kyverno 1.19.0, `GetOperatorFromStringPattern` and `validateString`: the operand is a
/// duration if both sides can be parsed as one, else a quantity, else a string with wildcards,
/// which has no greater or less.
sealed interface Comparison
    permits Comparison.Bounds,
        Comparison.Never,
        DurationComparison,
        NumberComparison,
        TextComparison {
  Pattern RANGE = range("-");
  Pattern NO_RANGE = range("!-");

  /// Tests whether the condition accepts the scalar at the place; null is left to [#matchesNull].
  Cel matches(Place place);

  /// Returns whether the condition accepts null, which counts as the number 0 and as no string.
  boolean matchesNull();

  /// Returns whether the condition certainly accepts that string.
  default boolean accepts(String text) {
    return false;
  }

  /// A condition that nothing satisfies: `>` and a text.
  record Never() implements Comparison {
    @Override
    public Cel matches(Place place) {
      return Cel.FALSE;
    }

    @Override
    public boolean matchesNull() {
      return false;
    }
  }

  /// A range with two bounds: `10-20`, or `10!-20` for values outside.
  record Bounds(Comparison lower, Comparison upper, boolean inside) implements Comparison {
    @Override
    public Cel matches(Place place) {
      return inside
          ? lower.matches(place).and(upper.matches(place))
          : lower.matches(place).or(upper.matches(place));
    }

    @Override
    public boolean matchesNull() {
      return inside
          ? lower.matchesNull() && upper.matchesNull()
          : lower.matchesNull() || upper.matchesNull();
    }
  }

  static Comparison of(String condition, Value pattern) {
    for (var operator : Operator.values()) {
      if (condition.length() >= 2 && condition.startsWith(operator.text())) {
        return operator == Operator.EQUAL
            ? ranges(condition, pattern)
            : of(operator, condition.substring(operator.text().length()).strip(), pattern);
      }
    }
    return of(Operator.EQUAL, condition.strip(), pattern);
  }

  private static Comparison ranges(String condition, Value pattern) {
    var outside = NO_RANGE.matcher(condition);
    if (outside.matches()) {
      return new Bounds(
          of(Operator.LESS, outside.group(1), pattern),
          of(Operator.MORE, outside.group(2), pattern),
          false);
    }
    var inside = RANGE.matcher(condition);
    if (inside.matches()) {
      return new Bounds(
          of(Operator.MORE_OR_EQUAL, inside.group(1), pattern),
          of(Operator.LESS_OR_EQUAL, inside.group(2), pattern),
          true);
    }
    return of(Operator.EQUAL, condition.strip(), pattern);
  }

  private static Comparison of(Operator operator, String operand, Value pattern) {
    if (!Durations.isUsual(operand)) {
      throw Untranslatable.value(
          pattern, "a duration in an unusual form", "write it as one number and unit, e.g. 90m");
    }
    var other = ofOther(operator, operand, pattern);
    return Durations.isDuration(operand) ? new DurationComparison(operator, operand, other) : other;
  }

  private static Comparison ofOther(Operator operator, String operand, Value pattern) {
    return NumberComparison.of(operator, operand, pattern)
        .orElseGet(() ->
            switch (operator) {
              case EQUAL, NOT_EQUAL -> TextComparison.of(operator, operand, pattern);
              case MORE_OR_EQUAL, LESS_OR_EQUAL, MORE, LESS -> new Never();
            });
  }

  private static Pattern range(String between) {
    var bound = "([-|+]?\\d+(?:\\.\\d+)?[A-Za-z]*)";
    return Pattern.compile(bound + between + bound);
  }
}
