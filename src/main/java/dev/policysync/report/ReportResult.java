package dev.policysync.report;

import java.util.Locale;
import java.util.Optional;

/// The result of a rule for a resource, named as in the report kinds, the worst first.
public enum ReportResult {
  FAIL,
  /// The rule could not be evaluated.
  ERROR,
  /// The resource violates a rule that is not scored (`policies.kyverno.io/scored: "false"`).
  WARN,
  PASS,
  /// The rule did not apply, because of its preconditions or an exception.
  SKIP;

  private final String text = name().toLowerCase(Locale.ROOT);

  /// Parses the result in a report, ignoring case; empty for an unknown word.
  public static Optional<ReportResult> of(String text) {
    return switch (text.strip().toLowerCase(Locale.ROOT)) {
      case "fail" -> Optional.of(FAIL);
      case "error" -> Optional.of(ERROR);
      case "warn" -> Optional.of(WARN);
      case "pass" -> Optional.of(PASS);
      case "skip" -> Optional.of(SKIP);
      default -> Optional.empty();
    };
  }

  /// Returns whether a person should look at the result; a [Finding] has one of these results.
  public boolean isFinding() {
    return this == FAIL || this == ERROR || this == WARN;
  }

  /// Returns the spelling in reports: `fail`.
  @Override
  public String toString() {
    return text;
  }
}
