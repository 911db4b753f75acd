package dev.policysync.report;

import java.util.Locale;
import java.util.Optional;

/// The severity of a finding, the highest first.
///
/// The remote API sorts by these numbers. It does not publish any for Kyverno; these are the lower
/// bounds of the bands that fit every row of its table of checks: from 0.9 critical, from 0.7 high,
/// from 0.4 medium, above 0 low, 0 none.
public enum Severity {
  CRITICAL(0.9),
  HIGH(0.7),
  MEDIUM(0.4),
  LOW(0.1),
  /// Includes `info` in reports, for which the API has no value.
  NONE(0),
  /// Neither the policy nor the result has a known severity. These findings are counted separately,
  /// so that they do not look rated; the number is that of medium.
  UNRATED(0.4);

  private final double number;
  private final String text = name().toLowerCase(Locale.ROOT);

  Severity(double number) {
    this.number = number;
  }

  /// Parses the severity of an annotation or a result, ignoring case; empty for an unknown text.
  public static Optional<Severity> of(String text) {
    return switch (text.strip().toLowerCase(Locale.ROOT)) {
      case "critical" -> Optional.of(CRITICAL);
      case "high" -> Optional.of(HIGH);
      case "medium" -> Optional.of(MEDIUM);
      case "low" -> Optional.of(LOW);
      case "none", "info" -> Optional.of(NONE);
      default -> Optional.empty();
    };
  }

  /// Returns the API's number, from 0 to 1, the most severe.
  public double number() {
    return number;
  }

  /// Returns the spelling in views: `critical`.
  @Override
  public String toString() {
    return text;
  }
}
