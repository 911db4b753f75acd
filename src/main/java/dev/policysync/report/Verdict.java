package dev.policysync.report;

/// What results say of a resource, the worst last. Whether a failure is scored or its rule could
/// not be evaluated makes no difference: somebody would have to look.
enum Verdict {
  /// There is none, or it says that the rule did not apply.
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

  /// What both say together.
  Verdict and(Verdict other) {
    return compareTo(other) < 0 ? other : this;
  }

  @Override
  public String toString() {
    return text;
  }
}
