package dev.policysync.convert;

import dev.policysync.base.Value;
import dev.policysync.policy.kyverno.Glob;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Translates a scalar of a pattern, for values that are not lists.
///
/// Source: Kyverno 1.19.0, pkg/engine/pattern: a boolean has to be that boolean; a whole number may
/// be written as a string; null stands for every empty scalar. In a string, `|` separates
/// alternatives, and `&` the conditions of each; a string that equals the whole pattern passes, too
/// (`validateStringPatterns`): `!*:latest`, `>=1024`, `10-20 | 80`, `?*`.
final class ScalarPattern {
  private static final Pattern WHOLE = Pattern.compile("-?\\d{1,18}");

  private static final Pattern RANGE = range("-");
  private static final Pattern NO_RANGE = range("!-");

  /// The syntax of Kubernetes' `ParseQuantity`, and a part of it that other parsers read otherwise.
  private static final Pattern QUANTITY =
      Pattern.compile(
          "([+-]?\\d{1,18}(\\.\\d{1,18})?)(n|u|m|k|M|G|T|P|E|[KMGTPE]i|[eE][+-]?\\d{1,2})?");

  private static final Pattern UNUSUAL =
      Pattern.compile(
          "[+-]?(\\d+\\.?|\\.\\d+|\\d+\\.\\d+)(n|u|m|k|[MGTPE]|[KMGTPE]i|[eE][+-]?\\d+)?");
  private static final Pattern INT = Pattern.compile("-?(0|[1-9]\\d*)");

  private static final Pattern ANYTHING = Pattern.compile("\\?{0,1}\\*+|\\*+\\??");

  /// Matches a wildcard pattern with a character that no whole number has; [#NO_FRACTION] matches
  /// one that no fraction has, as Go's format E writes it.
  private static final Pattern NO_INT = Pattern.compile(".*[^0-9*?-].*", Pattern.DOTALL);

  private static final Pattern NO_FRACTION = Pattern.compile(".*[^0-9.E+*?-].*", Pattern.DOTALL);

  /// A pattern with a plus, which a fraction in format E has before an exponent that is not
  /// negative.
  private static final String PLUS = "*+*";

  private final Value.Text pattern;
  private final Place place;

  /// One condition of a string pattern on the scalar at the place.
  ///
  /// @param matches tests whether the condition accepts the scalar, which is not null
  /// @param acceptsNull whether the condition accepts null, which counts as the number 0 and as no
  ///   string
  /// @param acceptsWritten whether the condition certainly accepts a string that equals the whole
  ///   pattern
  private record Condition(Cel matches, boolean acceptsNull, boolean acceptsWritten) {
    /// A condition that nothing satisfies: `>` and a text.
    private static final Condition NEVER = new Condition(Cel.FALSE, false, false);
  }

  /// The operators of a string pattern, in the order in which Kyverno looks for them, as a pattern
  /// and CEL write them.
  private enum Operator {
    MORE_OR_EQUAL(">=", ">="),
    LESS_OR_EQUAL("<=", "<="),
    MORE(">", ">"),
    LESS("<", "<"),
    NOT_EQUAL("!", "!="),
    EQUAL("", "==");

    private final String text;
    private final String cel;

    Operator(String text, String cel) {
      this.text = text;
      this.cel = cel;
    }

    /// Returns whether a value satisfies the operator.
    ///
    /// @param sign the sign of the value minus the operand
    private boolean satisfiedBy(int sign) {
      return switch (this) {
        case MORE_OR_EQUAL -> sign >= 0;
        case LESS_OR_EQUAL -> sign <= 0;
        case MORE -> sign > 0;
        case LESS -> sign < 0;
        case NOT_EQUAL -> sign != 0;
        case EQUAL -> sign == 0;
      };
    }
  }

  private ScalarPattern(Value.Text pattern, Place place) {
    this.pattern = pattern;
    this.place = place;
  }

  /// Returns whether the pattern accepts null, and so a missing field; false if the pattern is not
  /// a scalar.
  static boolean matchesNull(Value pattern) {
    return switch (pattern) {
      case Value.Null() -> true;
      case Value.Text text -> new ScalarPattern(text, Place.OBJECT).read().acceptsNull;
      case Value.Bool _, Value.Numeric _, Value.Mapping _, Value.Sequence _ -> false;
    };
  }

  /// Tests whether the pattern accepts the value at the place, which may be null.
  static Cel matches(Value pattern, Place place) {
    return switch (pattern) {
      case Value.Null() ->
          place.isNull().or(place.is("0")).or(place.is("\"\"")).or(place.is("false"));
      case Value.Bool(var value) -> place.is(Boolean.toString(value));
      case Value.Numeric number -> number(number, place);
      case Value.Text text -> {
        var read = new ScalarPattern(text, place).read();
        yield (read.acceptsNull ? place.isNull() : Cel.FALSE).or(read.matches);
      }
      case Value.Mapping _, Value.Sequence _ ->
          throw new IllegalStateException("no scalar: " + pattern);
    };
  }

  private static Cel number(Value.Numeric pattern, Place place) {
    var literal = pattern.literal();
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
                .and(Cel.matches(place.text(), "^" + sign + "0*" + digits + "$")));
  }

  private static Pattern range(String between) {
    var bound = "([-|+]?\\d+(?:\\.\\d+)?[A-Za-z]*)";
    return Pattern.compile(bound + between + bound);
  }

  /// Translates the string, which is one condition made of several.
  private Condition read() {
    var text = pattern.text();
    if (text.contains("{{") || text.contains("$(")) {
      throw Untranslatable.value(
          pattern,
          "a variable or reference in a pattern",
          "compare with the value itself in CEL, e.g. object.metadata.name");
    }
    var any = new ArrayList<Cel>();
    var acceptsNull = false;
    var acceptsWritten = false;
    for (var alternative : text.split("\\|", -1)) {
      var conditions =
          Stream.of(trimmed(alternative).split("&", -1))
              .map(one -> condition(trimmed(one)))
              .toList();
      any.add(Cel.all(conditions.stream().map(Condition::matches).toList()));
      acceptsNull |= conditions.stream().allMatch(Condition::acceptsNull);
      acceptsWritten = conditions.size() == 1 && conditions.getFirst().acceptsWritten;
    }
    return new Condition(
        any.size() == 1 && acceptsWritten
            ? any.getFirst()
            : Cel.any(any).or(place.is(Cel.quoted(text))),
        acceptsNull,
        true);
  }

  /// Removes spaces only, as Go's `strings.Trim(condition, " ")` does.
  private static String trimmed(String text) {
    return text.replaceAll("^ +| +$", "");
  }

  /// Translates one condition: an operator and its operand, or a range.
  ///
  /// Source: Kyverno 1.19.0, `GetOperatorFromStringPattern` and `validateString`.
  private Condition condition(String text) {
    for (var operator : Operator.values()) {
      if (operator != Operator.EQUAL && text.length() >= 2 && text.startsWith(operator.text)) {
        return compared(operator, text.substring(operator.text.length()).strip());
      }
    }
    var outside = NO_RANGE.matcher(text);
    if (outside.matches()) {
      var below = compared(Operator.LESS, outside.group(1));
      var above = compared(Operator.MORE, outside.group(2));
      return new Condition(
          below.matches.or(above.matches), below.acceptsNull || above.acceptsNull, false);
    }
    var inside = RANGE.matcher(text);
    if (inside.matches()) {
      var lower = compared(Operator.MORE_OR_EQUAL, inside.group(1));
      var upper = compared(Operator.LESS_OR_EQUAL, inside.group(2));
      return new Condition(
          lower.matches.and(upper.matches), lower.acceptsNull && upper.acceptsNull, false);
    }
    return compared(Operator.EQUAL, text.strip());
  }

  /// Translates a comparison: with a duration if both sides can be parsed as one, else with a
  /// quantity, else with a string with wildcards, which has no greater or less.
  private Condition compared(Operator operator, String operand) {
    if (!Durations.isUsual(operand)) {
      throw Untranslatable.value(
          pattern, "a duration in an unusual form", "write it as one number and unit, e.g. 90m");
    }
    var other =
        quantity(operator, operand)
            .orElseGet(() ->
                switch (operator) {
                  case EQUAL, NOT_EQUAL -> text(operator == Operator.EQUAL, operand);
                  case MORE_OR_EQUAL, LESS_OR_EQUAL, MORE, LESS -> Condition.NEVER;
                });
    return Durations.isDuration(operand) ? duration(operator, operand, other.matches) : other;
  }

  /// Translates a comparison with a duration, which may be a quantity as well: `<=24h`, `>=100m`.
  /// Values that are durations, and 0, are compared as durations; null as 0.
  ///
  /// Source: Kyverno 1.19.0, `compareDuration`: it comes first, and does not count if the value is
  /// not a duration.
  ///
  /// @param other the comparison for all other values
  private Condition duration(Operator operator, String operand, Cel other) {
    var sign = operand.matches(".*[1-9].*") ? 1 : 0;
    var acceptsZero = operator.satisfiedBy(operand.startsWith("-") ? sign : -sign);
    var duration =
        place
            .is(Place.Type.STRING)
            .and(Durations.isDurationTest(place.text()).or(place.is("\"0\"")));
    var zero = place.is(Place.Type.INT).and(place.is("0"));
    return new Condition(
        Durations.compared(place.text(), operator.cel, operand)
            .where(duration, (acceptsZero ? Cel.TRUE : Cel.FALSE).where(zero, other)),
        acceptsZero,
        operator == Operator.EQUAL && pattern.text().equals(operand));
  }

  /// Translates a comparison with a quantity: `>=1024`, `<=2Gi`, `8080`. Numbers and strings that
  /// are quantities are compared as quantities; another string or a boolean differs from every
  /// quantity. Empty if the operand is not a quantity.
  ///
  /// Source: Kyverno 1.19.0, `compareQuantity`.
  private Optional<Condition> quantity(Operator operator, String operand) {
    var matcher = QUANTITY.matcher(operand);
    var sign = matcher.matches() ? new BigDecimal(matcher.group(1)).signum() : 0;
    if (sign == 0 && !operand.equals("0")) {
      if (UNUSUAL.matcher(operand).matches()) {
        throw Untranslatable.value(
            pattern,
            "an unusual number in a pattern",
            "write it as plain digits, e.g. 1024 or 1Gi");
      }
      return Optional.empty();
    }
    var compared =
        INT.matcher(operand).matches()
            ? Cel.comparison(place + " " + operator.cel + " " + operand)
            : Quantities.compared("string(" + place + ")", operator.cel, operand);
    var number = place.is(Place.Type.INT).or(place.is(Place.Type.DOUBLE)).and(compared);
    var text =
        place
            .is(Place.Type.STRING)
            .and(
                Quantities.compared(place.text(), operator.cel, operand)
                    .where(Cel.call("isQuantity(" + place + ")"), noQuantity(operator, sign)));
    var bool = operator == Operator.NOT_EQUAL ? place.is(Place.Type.BOOL) : Cel.FALSE;
    return Optional.of(
        new Condition(
            number.or(text).or(bool),
            operator.satisfiedBy(-sign),
            operator == Operator.EQUAL && pattern.text().equals(operand)));
  }

  /// Compares a string that is not a quantity. Durations are compared only with 0, the one quantity
  /// that is a duration as well.
  private Cel noQuantity(Operator operator, int sign) {
    var differs = operator == Operator.NOT_EQUAL ? Cel.TRUE : Cel.FALSE;
    if (sign != 0) {
      return differs;
    }
    var some = Cel.call(place + ".matches(\"[1-9]\")");
    var negative = Cel.call(place + ".startsWith(\"-\")");
    var duration =
        switch (operator) {
          case EQUAL -> some.not();
          case NOT_EQUAL -> some;
          case MORE -> some.and(negative.not());
          case LESS -> some.and(negative);
          case MORE_OR_EQUAL -> some.not().or(negative.not());
          case LESS_OR_EQUAL -> some.not().or(negative);
        };
    return duration.where(Durations.isDurationTest(place.text()), differs);
  }

  /// Translates a comparison with a text, by wildcards: `nginx:*`, `!*:latest`. Numbers and
  /// booleans are compared as strings, too; maps and null are neither equal nor unequal.
  ///
  /// Source: Kyverno 1.19.0, `compareString`.
  private Condition text(boolean equal, String glob) {
    var unclear =
        Glob.isPattern(glob)
            && !glob.equals(PLUS)
            && !ANYTHING.matcher(glob).matches()
            && !NO_FRACTION.matcher(glob).matches();
    if (unclear) {
      throw Untranslatable.value(
          pattern,
          "a wildcard in what may be a number",
          "a number with a fraction may match it in Kyverno; compare strings in CEL with"
              + " matches()");
    }
    var accepted = accepted(glob);
    return new Condition(
        equal ? accepted : place.isScalar().and(accepted.not()),
        false,
        equal == Glob.matches(glob, pattern.text()));
  }

  private Cel accepted(String glob) {
    if (ANYTHING.matcher(glob).matches()) {
      // Only the empty string does not satisfy `?*`.
      return GlobTest.matches(place.text(), glob).and(place.isScalar());
    }
    var accepted = new ArrayList<Cel>();
    accepted.add(
        Glob.isPattern(glob)
            ? place.is(Place.Type.STRING).and(GlobTest.matches(place.text(), glob))
            : place.is(Cel.quoted(glob)));
    if (Glob.isPattern(glob) && !NO_INT.matcher(glob).matches()) {
      accepted.add(place.is(Place.Type.INT).and(GlobTest.matches("string(" + place + ")", glob)));
    }
    if (glob.equals(PLUS)) {
      var large = Cel.comparison(place + " >= 1.0").or(Cel.comparison(place + " <= -1.0"));
      accepted.add(place.is(Place.Type.DOUBLE).and(large.or(place.is("0.0"))));
    }
    for (var bool : new String[] {"true", "false"}) {
      if (Glob.matches(glob, bool)) {
        accepted.add(place.is(bool));
      }
    }
    return Cel.any(accepted);
  }
}
