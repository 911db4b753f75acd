package dev.policysync.inspect;

/// One line of the output of `check`.
///
/// @param subject what was checked: `Lease`
/// @param found what was requested, of which object, and what the response was
/// @param fix what to do; empty if nothing has to be done
public record CheckResult(String subject, CheckStatus status, String found, String fix) {
  public static CheckResult ok(String subject, String found) {
    return new CheckResult(subject, CheckStatus.OK, found, "");
  }

  public static CheckResult warning(String subject, String found, String fix) {
    return new CheckResult(subject, CheckStatus.WARNING, found, fix);
  }

  public static CheckResult failure(String subject, String found, String fix) {
    return new CheckResult(subject, CheckStatus.FAILURE, found, fix);
  }

  /// Creates a failure from an adapter's reason, which is the response and, after a semicolon, the
  /// fix: `HTTP 401: the token was refused; check FAIRWINDS_TOKEN`.
  public static CheckResult failure(String subject, String reason) {
    return split(subject, CheckStatus.FAILURE, reason);
  }

  /// Creates a result for a check that could not run; the reason has the same form as for a
  /// failure.
  public static CheckResult unknown(String subject, String reason) {
    return split(subject, CheckStatus.UNKNOWN, reason);
  }

  private static CheckResult split(String subject, CheckStatus checkStatus, String reason) {
    var end = reason.indexOf("; ");
    return end < 0
        ? new CheckResult(subject, checkStatus, reason, "")
        : new CheckResult(
            subject, checkStatus, reason.substring(0, end), reason.substring(end + 2));
  }
}
