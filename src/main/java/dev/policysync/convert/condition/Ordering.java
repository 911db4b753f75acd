package dev.policysync.convert.condition;

import dev.policysync.convert.expression.Cel;
import dev.policysync.convert.expression.Quoted;
import dev.policysync.convert.jmespath.Kind;
import dev.policysync.convert.jmespath.Term;
import dev.policysync.json.Value;
import java.util.Set;
import java.util.regex.Pattern;

/// GreaterThan, LessThan and the like.
///
/// Source: Kyverno 1.19.0, `NumericOperatorHandler`: durations are compared with durations and with
/// numbers of seconds, quantities with quantities, other numbers with numbers, in strings too.
final class Ordering {
  private static final Pattern WHOLE = Pattern.compile("-?(0|[1-9]\\d{0,8})");
  private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9]\\d{0,8})(\\.\\d{1,6})?");

  /// What Go reads as a number, as far as it cannot be too large for one.
  private static final String READ =
      "^[+-]?((\\d{1,100}([.]\\d{0,100})?|[.]\\d{1,100})([eE][+-]?\\d{1,2})?|(?i:inf|infinity))$";

  private final Comparison of;
  private final Term key;
  private final String operator;

  Ordering(Comparison of, String operator) {
    this.of = of;
    this.key = of.key().term();
    this.operator = operator;
  }

  Cel holds() {
    if (!of.value().isLiteral()) {
      var value = of.value().term();
      if (key.kinds().equals(Set.of(Kind.NUMBER)) && value.kinds().equals(Set.of(Kind.NUMBER))) {
        return Cel.comparison(key.text() + " " + operator + " " + value.text());
      }
      throw of.refused("two values of the object");
    }
    return switch (of.value().written().orElseThrow()) {
      case Value.Numeric(var number) -> number(number);
      case Value.Text(var text) -> text(text);
      default -> Cel.FALSE;
    };
  }

  private Cel number(String number) {
    if (!NUMBER.matcher(number).matches()) {
      throw of.refused("with a number in an unusual form");
    }
    var text = Cel.FALSE;
    if (key.mayBe(Kind.STRING)) {
      if (!WHOLE.matcher(number).matches()) {
        throw of.refused("with a fraction");
      }
      text =
          Durations.compared(key.text(), operator, number + "s")
              .where(Durations.isDuration(key.text()), isNumber().and(asNumber(number)));
    }
    return numberKey(number).or(key.is(Kind.STRING).and(text));
  }

  private Cel numberKey(String number) {
    return key.mayBe(Kind.NUMBER)
        ? key.is(Kind.NUMBER)
            .and(Cel.comparison("dyn(" + key.text() + ") " + operator + " " + number))
        : Cel.FALSE;
  }

  private Cel text(String text) {
    if (Durations.isDuration(text, of)) {
      return duration(text);
    }
    if (!Quantities.isQuantity(text)) {
      throw of.refused("with a version or a number in an unusual form");
    }
    var asNumber = NUMBER.matcher(text).matches();
    var byNumber = asNumber ? isNumber().and(asNumber(text)) : Cel.FALSE;
    var quantity =
        Quantities.compared(key.text(), operator, text)
            .where(Cel.call("isQuantity(" + key.text() + ")"), byNumber);
    return (asNumber ? numberKey(text) : Cel.FALSE).or(key.is(Kind.STRING).and(quantity));
  }

  /// A number, in a string too, is one of whole seconds.
  private Cel duration(String text) {
    if (Quantities.isQuantity(text)) {
      throw of.refused("with what is a duration and a quantity");
    }
    var seconds = "duration(string(int(" + key.text() + ")) + \"s\")";
    var other = "duration(string(int(double(" + key.text() + "))) + \"s\")";
    var literal = " " + operator + " duration(" + Quoted.text(text) + ")";
    var number =
        key.mayBe(Kind.NUMBER)
            ? key.is(Kind.NUMBER).and(Cel.comparison(seconds + literal))
            : Cel.FALSE;
    var short9 = Cel.call(key.text() + ".matches(\"^[+-]?\\\\d{1,9}([.]\\\\d{0,9})?$\")");
    var string =
        Durations.compared(key.text(), operator, text)
            .where(Durations.isDuration(key.text()), short9.and(Cel.comparison(other + literal)));
    return number.or(key.is(Kind.STRING).and(string));
  }

  private Cel isNumber() {
    return Cel.call(key.text() + ".matches(" + Quoted.text(READ) + ")");
  }

  private Cel asNumber(String number) {
    return Cel.comparison("double(" + key.text() + ") " + operator + " " + number);
  }
}
