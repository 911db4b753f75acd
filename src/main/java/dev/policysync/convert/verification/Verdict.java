package dev.policysync.convert.verification;

/// What a policy says of a resource, as far as a request that brings it is concerned. An error
/// refuses it just as a failure does, and what is skipped is not judged.
enum Verdict {
  PASS,
  FAIL,
  NOT_JUDGED;

  /// The verdict that a policy report calls so.
  static Verdict of(String result) {
    return switch (result) {
      case "pass" -> PASS;
      case "fail", "warn", "error" -> FAIL;
      case "skip" -> NOT_JUDGED;
      default -> throw new IllegalStateException("unknown result: " + result);
    };
  }
}
