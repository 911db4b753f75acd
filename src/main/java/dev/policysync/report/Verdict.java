package dev.policysync.report;

/// The verdict of one or more results on a resource, the worst last. Failures, unscored failures
/// and errors count as the same verdict, because a person has to look at each.
enum Verdict {
  /// There is no result, or the rule did not apply.
  NONE("no result"),
  PASS("pass"),
  FAIL("fail");

  private final String text;

  Verdict(String text) {
    this.text = text;
  }

  static Verdict of(ReportResult result) {
    return switch (result) {
      case FAIL, ERROR, WARN -> FAIL;
      case PASS -> PASS;
      case SKIP -> NONE;
    };
  }

  /// Returns the worse of the two verdicts.
  Verdict and(Verdict other) {
    return compareTo(other) < 0 ? other : this;
  }

  @Override
  public String toString() {
    return text;
  }
}
