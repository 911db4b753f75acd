package dev.policysync.report;

import java.util.Locale;
import java.util.Optional;

/// How much a finding matters, the most first.
///
/// The numbers are those that the remote API sorts by. It publishes none for Kyverno; these are the
/// low ends of the bands that fit every row of its table of checks: from 0.9 critical, from 0.7
/// high, from 0.4 medium, above 0 low, 0 none.
public enum Severity {
  CRITICAL(0.9),
  HIGH(0.7),
  MEDIUM(0.4),
  LOW(0.1),
  /// Also the reports' own `info`, for which the API has no value.
  NONE(0),
  /// Neither the policy nor the result gives a severity that is known. Counted apart, so that
  /// nobody takes it for a judgement; its number is the middle's.
  UNRATED(0.4);

  private final double number;
  private final String text = name().toLowerCase(Locale.ROOT);

  Severity(double number) {
    this.number = number;
  }

  /// The severity that the text of an annotation or a result stands for, in any case; empty for a
  /// word that is none.
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

  /// From 0, no matter, to 1.
  public double number() {
    return number;
  }

  /// As people read it: `critical`.
  @Override
  public String toString() {
    return text;
  }
}
