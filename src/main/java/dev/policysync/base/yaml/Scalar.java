package dev.policysync.base.yaml;

import dev.policysync.base.Value;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.Optional;

/// The meaning of one YAML scalar to Go's YAML reader, before conversion to JSON. In JSON, the same
/// number is written differently as a value and as a key.
sealed interface Scalar {
  /// A string, or a scalar that is treated as a string: `12:30:45`, `2024-01-01`.
  record Str(String text) implements Scalar {}

  /// An integer that fits into a signed 64-bit number.
  record Whole(long number) implements Scalar {}

  /// An integer that fits only into an unsigned 64-bit number.
  record Huge(BigInteger number) implements Scalar {}

  /// A floating-point number, including `.inf` and `.nan`.
  record Fraction(double number) implements Scalar {}

  /// `true`, `yes`, `on`, `y` and their opposites.
  record Flag(boolean on) implements Scalar {}

  /// `null`, `~` or an empty scalar.
  record Nothing() implements Scalar {}

  /// Returns the JSON value; empty for infinity and "not a number", which JSON does not have.
  default Optional<Value> value() {
    return switch (this) {
      case Str(var text) -> Optional.of(new Value.Text(text));
      case Whole(var number) -> Optional.of(new Value.Numeric(Long.toString(number)));
      case Huge(var number) -> Optional.of(Value.Numeric.of(number));
      case Fraction(var number) ->
          Double.isFinite(number) ? Optional.of(Value.Numeric.of(number)) : Optional.empty();
      case Flag(var on) -> Optional.of(new Value.Bool(on));
      case Nothing() -> Optional.of(new Value.Null()); // new: NodeLocations compares by identity
    };
  }

  /// Returns the name of a JSON field (`y:` is "true", `0x10:` is "16"); empty if Go's reader
  /// rejects such a key.
  default Optional<String> key() {
    return switch (this) {
      case Str(var text) -> Optional.of(text);
      case Whole(var number) -> Optional.of(Long.toString(number));
      case Fraction(var number) -> Optional.of(fractionKey((float) number));
      case Flag(var on) -> Optional.of(Boolean.toString(on));
      case Huge _, Nothing _ -> Optional.empty();
    };
  }

  /// Formats a number as a key: in single precision, and with an exponent from a million up (`1e6:`
  /// is "1e+06").
  private static String fractionKey(float number) {
    if (Float.isNaN(number)) {
      return ".nan";
    }
    if (Float.isInfinite(number)) {
      return number > 0 ? ".inf" : "-.inf";
    }
    if (number == 0) {
      return 1 / number < 0 ? "-0" : "0";
    }
    var shortest = shortest(number);
    var digits = shortest.unscaledValue().abs().toString();
    var exponent = digits.length() - 1 - shortest.scale();
    if (exponent >= -4 && exponent < 6) {
      return shortest.toPlainString();
    }
    var size = Math.abs(exponent);
    return (number < 0 ? "-" : "")
        + digits.charAt(0)
        + (digits.length() == 1 ? "" : "." + digits.substring(1))
        + (exponent < 0 ? "e-" : "e+")
        + (size < 10 ? "0" : "")
        + size;
  }

  private static BigDecimal shortest(float number) {
    var decimal = new BigDecimal(Float.toString(number)).stripTrailingZeros();
    var oneDigit = decimal.round(new MathContext(1));
    return oneDigit.floatValue() == number ? oneDigit : decimal;
  }
}
