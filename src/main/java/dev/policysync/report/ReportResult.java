package dev.policysync.report;

import java.util.Locale;
import java.util.Optional;

/// How a resource stands with a rule, in the words of the report kinds; the worst comes first.
public enum ReportResult {
  /// The resource breaks the rule.
  FAIL,
  /// The rule could not be evaluated, so nobody knows.
  ERROR,
  /// The resource breaks a rule that is not scored (`policies.kyverno.io/scored: "false"`).
  WARN,
  /// The resource keeps the rule.
  PASS,
  /// The rule did not apply, for its preconditions or by an exception.
  SKIP;

  private final String text = name().toLowerCase(Locale.ROOT);

  /// The result that a report's text stands for, in any case; empty for a word that is none.
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

  /// Whether somebody should look: a [Finding] has one of these.
  public boolean isFinding() {
    return this == FAIL || this == ERROR || this == WARN;
  }

  /// As reports spell it: `fail`.
  @Override
  public String toString() {
    return text;
  }
}
