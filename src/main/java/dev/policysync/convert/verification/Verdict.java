package dev.policysync.convert.verification;

/// The verdict of a policy on a resource, as a request with the resource meets it: an error blocks
/// the request like a failure, and a skipped resource is not judged.
enum Verdict {
  PASS,
  FAIL,
  NOT_JUDGED;

  static Verdict of(String result) {
    return switch (result) {
      case "pass" -> PASS;
      case "fail", "warn", "error" -> FAIL;
      case "skip" -> NOT_JUDGED;
      default -> throw new IllegalStateException("unknown result: " + result);
    };
  }
}
