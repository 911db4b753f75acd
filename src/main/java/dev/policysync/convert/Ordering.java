package dev.policysync.convert;

import dev.policysync.base.Value;
import java.util.List;
import java.util.regex.Pattern;

/// Translates GreaterThan, GreaterThanOrEquals, LessThan and LessThanOrEquals.
///
/// Source: Kyverno 1.19.0, `NumericOperatorHandler`: durations are compared with durations and with
/// numbers of seconds, quantities with quantities, other numbers with numbers, also in strings.
record Ordering(Comparison of, Term key, String operator) {
  /// Matches whole numbers of seconds that fit into a duration.
  private static final Pattern WHOLE = Pattern.compile("-?(0|[1-9]\\d{0,8}|[1-8]\\d{9})");

  private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9]\\d{0,14})(\\.\\d{1,6})?");

  private static final String DIGITS = "\\d(_?\\d){0,99}";

  /// Matches what Go parses as a number, as far as it cannot overflow.
  private static final String READ =
      "^[+-]?(("
          + DIGITS
          + "([.]("
          + DIGITS
          + ")?)?|[.]"
          + DIGITS
          + ")([eE][+-]?\\d{1,2})?|(?i:inf|infinity))$";

  Cel holds() {
    if (!of.value().isLiteral()) {
      return with(of.value().term());
    }
    return switch (of.value().written().orElseThrow()) {
      case Value.Numeric(var number) -> number(number);
      case Value.Text(var text) -> text(text);
      default -> Cel.FALSE;
    };
  }

  /// Compares the key with another value of the object, in Kyverno's order: as durations,
  /// quantities, numbers, versions.
  private Cel with(Term value) {
    of.checkVariables();
    var asDurations = compared(Durations.of(key.text()), Durations.of(value.text()));
    var asNumbers = compared(asNumber(key), asNumber(value));
    var asVersions =
        compared("semver(" + key.text() + ").compareTo(semver(" + value.text() + "))", "0");
    var keyInSeconds = inSeconds(key, Durations.of(value.text()));
    var valueInSeconds =
        Durations.fits(value.text())
            .and(compared(Durations.of(key.text()), Durations.ofSeconds(value.text())));
    var numbers = keyInSeconds.where(isDuration(value), isNumber(value).and(asNumbers));
    var texts =
        asDurations.where(
            isDuration(key).and(isDuration(value)),
            compared(Quantities.compared(key, value), "0")
                .where(
                    isQuantity(key).and(isQuantity(value)),
                    numbers.where(
                        isNumber(key), isVersion(key).and(isVersion(value)).and(asVersions))));
    return Cel.any(
        List.of(
            key.is(JsonType.NUMBER).and(value.is(JsonType.NUMBER)).and(asNumbers),
            key.is(JsonType.STRING).and(value.is(JsonType.STRING)).and(texts),
            key.is(JsonType.STRING)
                .and(value.is(JsonType.NUMBER))
                .and(valueInSeconds.where(isDuration(key), isNumber(key).and(asNumbers))),
            key.is(JsonType.NUMBER).and(value.is(JsonType.STRING)).and(numbers)));
  }

  /// Compares a number of seconds with a duration.
  private Cel inSeconds(Term number, String duration) {
    return Durations.fits(number.text())
        .and(compared(Durations.ofSeconds(number.text()), duration));
  }

  private Cel compared(String one, String other) {
    return Cel.comparison(one + " " + operator + " " + other);
  }

  private static Cel isDuration(Term text) {
    return Durations.isDurationTest(text.text());
  }

  private static Cel isQuantity(Term text) {
    return Cel.call("isQuantity(" + text.text() + ")");
  }

  private static Cel isVersion(Term text) {
    return Cel.call("isSemver(" + text.text() + ")");
  }

  private static Cel isNumber(Term text) {
    return Cel.matches(text.text(), READ);
  }

  private static String asNumber(Term term) {
    return "double(" + term.text() + ")";
  }

  private Cel number(String number) {
    if (!NUMBER.matcher(number).matches()) {
      throw of.refused("with a number in an unusual form");
    }
    var text = Cel.FALSE;
    if (key.mayBe(JsonType.STRING)) {
      if (!WHOLE.matcher(number).matches()) {
        throw of.refused("with a fraction");
      }
      text =
          Durations.compared(key.text(), operator, number + "s")
              .where(isDuration(key), isNumber(key).and(asNumber(number)));
    }
    return numberKey(number).or(key.is(JsonType.STRING).and(text));
  }

  private Cel numberKey(String number) {
    return key.mayBe(JsonType.NUMBER)
        ? key.is(JsonType.NUMBER)
            .and(Cel.comparison("dyn(" + key.text() + ") " + operator + " " + number))
        : Cel.FALSE;
  }

  private Cel text(String text) {
    if (of.isDuration(text)) {
      return duration(text);
    }
    var asNumber = NUMBER.matcher(text).matches();
    if (!Quantities.isQuantity(text) || (!asNumber && text.matches(READ))) {
      throw of.refused("with a version or a number in an unusual form");
    }
    var byNumber = asNumber ? isNumber(key).and(asNumber(text)) : Cel.FALSE;
    var quantity = Quantities.compared(key.text(), operator, text).where(isQuantity(key), byNumber);
    return (asNumber ? numberKey(text) : Cel.FALSE).or(key.is(JsonType.STRING).and(quantity));
  }

  /// Compares the key with a duration. A number, also in a string, counts whole seconds.
  private Cel duration(String text) {
    if (Quantities.isQuantity(text)) {
      throw of.refused("with what is a duration and a quantity");
    }
    var seconds = inSeconds(key, Durations.of(Cel.quoted(text)));
    var string =
        Durations.compared(key.text(), operator, text)
            .where(isDuration(key), isNumber(key).and(seconds));
    return key.is(JsonType.NUMBER)
        .and(key.mayBe(JsonType.NUMBER) ? seconds : Cel.FALSE)
        .or(key.is(JsonType.STRING).and(string));
  }

  private Cel asNumber(String number) {
    return compared(asNumber(key), number);
  }
}
