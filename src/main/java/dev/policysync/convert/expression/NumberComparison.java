package dev.policysync.convert.expression;

import dev.policysync.base.Value;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.regex.Pattern;

/// A comparison with a quantity: `>=1024`, `<=2Gi`, `8080`. Numbers and strings that are quantities
/// are compared as quantities; another string or a boolean differs from every quantity.
///
/// Source: Kyverno 1.19.0, `compareQuantity`; the syntax is that of Kubernetes' `ParseQuantity`.
record NumberComparison(Operator operator, String operand, int sign) implements Comparison {
  private static final String SUFFIX = "(n|u|m|k|M|G|T|P|E|[KMGTPE]i|[eE][+-]?\\d{1,2})?";
  private static final Pattern QUANTITY =
      Pattern.compile("([+-]?\\d{1,18}(\\.\\d{1,18})?)" + SUFFIX);
  private static final Pattern UNUSUAL =
      Pattern.compile(
          "[+-]?(\\d+\\.?|\\.\\d+|\\d+\\.\\d+)(n|u|m|k|[MGTPE]|[KMGTPE]i|[eE][+-]?\\d+)?");
  private static final Pattern WHOLE = Pattern.compile("-?(0|[1-9]\\d*)");

  /// Returns the comparison; empty if the operand is not a quantity.
  static Optional<Comparison> of(Operator operator, String operand, Value pattern) {
    var matcher = QUANTITY.matcher(operand);
    if (matcher.matches()) {
      var sign = new BigDecimal(matcher.group(1)).signum();
      if (sign != 0 || operand.equals("0")) {
        return Optional.of(new NumberComparison(operator, operand, sign));
      }
    }
    if (UNUSUAL.matcher(operand).matches()) {
      throw Untranslatable.value(
          pattern, "an unusual number in a pattern", "write it as plain digits, e.g. 1024 or 1Gi");
    }
    return Optional.empty();
  }

  @Override
  public boolean matchesNull() {
    return operator.satisfiedBy(-sign);
  }

  @Override
  public boolean accepts(String text) {
    return operator == Operator.EQUAL && text.equals(operand);
  }

  @Override
  public Cel matches(Place place) {
    var number = place.is(Place.Type.INT).or(place.is(Place.Type.DOUBLE)).and(compared(place));
    var text =
        place
            .is(Place.Type.STRING)
            .and(
                quantity(place.text())
                    .where(Cel.call("isQuantity(" + place + ")"), otherText(place)));
    var bool = operator == Operator.NOT_EQUAL ? place.is(Place.Type.BOOL) : Cel.FALSE;
    return number.or(text).or(bool);
  }

  private Cel compared(Place place) {
    return WHOLE.matcher(operand).matches()
        ? Cel.comparison(place + " " + operator.cel() + " " + operand)
        : quantity("string(" + place + ")");
  }

  private Cel quantity(String text) {
    return Cel.comparison(
        "quantity("
            + text
            + ").compareTo(quantity("
            + Quoted.text(operand)
            + ")) "
            + operator.cel()
            + " 0");
  }

  /// Compares a string that is not a quantity. Durations are compared only with 0, the one quantity
  /// that is a duration as well.
  private Cel otherText(Place place) {
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
}
