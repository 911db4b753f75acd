package dev.policysync.base.yaml;

import dev.policysync.base.yaml.Scalar.Fraction;
import dev.policysync.base.yaml.Scalar.Huge;
import dev.policysync.base.yaml.Scalar.Whole;
import java.math.BigInteger;
import java.util.Optional;

/// Reads numbers from plain text as Go's YAML reader does: `0644`, `0o644`, `0x1F`, `0b11`,
/// `1_000`, `+5`, `1e3`, `.5`. All other text stays text, such as `1:30`, `0o9`, `1e400`.
final class NumberText {
  private static final int LONGEST = 64; // binary digits of the largest integer

  private NumberText() {}

  /// Reads a number from a text that begins with a digit or a sign.
  static Optional<Scalar> read(String text) {
    var plain = text.indexOf('_') < 0 ? text : text.replace("_", "");
    var integer = integer(plain);
    if (integer.isPresent()) {
      return integer;
    }
    var fraction = fraction(plain);
    if (fraction.isPresent() || !plain.startsWith("0b")) {
      return fraction;
    }
    return integer(plain.substring(2), 2);
  }

  /// Reads a number from a text that begins with a dot.
  static Optional<Scalar> readFromDot(String text) {
    for (int i = text.indexOf('_'); i >= 0; i = text.indexOf('_', i + 1)) {
      if (!isDigit(text, i - 1) || !isDigit(text, i + 1)) {
        return Optional.empty();
      }
    }
    return fraction(text.replace("_", ""));
  }

  private static Optional<Scalar> integer(String text) {
    var sign = isSign(text, 0) ? 1 : 0;
    if (text.length() < sign + 3 || text.charAt(sign) != '0') {
      var octal = text.length() > sign && text.charAt(sign) == '0';
      return integer(text, octal ? 8 : 10);
    }
    var radix =
        switch (text.charAt(sign + 1)) {
          case 'x', 'X' -> 16;
          case 'o', 'O' -> 8;
          case 'b', 'B' -> 2;
          default -> 0;
        };
    return radix == 0
        ? integer(text, 8)
        : digits(text.substring(sign + 2), radix)
            .flatMap(number -> fit(number, sign == 0 ? ' ' : text.charAt(0)));
  }

  private static Optional<Scalar> integer(String text, int radix) {
    var sign = isSign(text, 0);
    return digits(sign ? text.substring(1) : text, radix)
        .flatMap(number -> fit(number, sign ? text.charAt(0) : ' '));
  }

  private static Optional<BigInteger> digits(String text, int radix) {
    if (text.isEmpty()) {
      return Optional.empty();
    }
    int zeros = 0;
    for (int i = 0; i < text.length(); i++) {
      var c = text.charAt(i);
      if (c > 'f' || Character.digit(c, radix) < 0) {
        return Optional.empty();
      }
      zeros += c == '0' && zeros == i ? 1 : 0;
    }
    if (text.length() - zeros > LONGEST) {
      return Optional.empty();
    }
    return Optional.of(
        zeros == text.length() ? BigInteger.ZERO : new BigInteger(text.substring(zeros), radix));
  }

  private static Optional<Scalar> fit(BigInteger size, char sign) {
    var number = sign == '-' ? size.negate() : size;
    if (number.bitLength() < 64) {
      return Optional.of(new Whole(number.longValue()));
    }
    return sign == ' ' && number.bitLength() == 64
        ? Optional.of(new Huge(number))
        : Optional.empty();
  }

  private static Optional<Scalar> fraction(String text) {
    if (!looksLikeFraction(text)) {
      return Optional.empty();
    }
    var number = Double.parseDouble(text);
    return Double.isInfinite(number) ? Optional.empty() : Optional.of(new Fraction(number));
  }

  /// Returns whether a text consists of an optional sign, digits with an optional dot before,
  /// within or after them, and an optional exponent.
  private static boolean looksLikeFraction(String text) {
    var i = isSign(text, 0) ? 1 : 0;
    var whole = skipDigits(text, i) - i;
    i += whole;
    if (i < text.length() && text.charAt(i) == '.') {
      var end = skipDigits(text, i + 1);
      if (whole == 0 && end == i + 1) {
        return false;
      }
      i = end;
    } else if (whole == 0) {
      return false;
    }
    if (i == text.length()) {
      return true;
    }
    if (text.charAt(i) != 'e' && text.charAt(i) != 'E') {
      return false;
    }
    i += isSign(text, i + 1) ? 2 : 1;
    return i < text.length() && skipDigits(text, i) == text.length();
  }

  private static int skipDigits(String text, int from) {
    int i = from;
    while (isDigit(text, i)) {
      i++;
    }
    return i;
  }

  private static boolean isDigit(String text, int i) {
    return i >= 0 && i < text.length() && text.charAt(i) >= '0' && text.charAt(i) <= '9';
  }

  private static boolean isSign(String text, int i) {
    return i < text.length() && (text.charAt(i) == '+' || text.charAt(i) == '-');
  }
}
