package dev.policysync.inspect;

/// One line of a check.
///
/// @param subject what was asked about: `Lease`
/// @param found what was tried, on what, and what came back
/// @param fix what to do; empty where there is nothing to do
public record CheckResult(String subject, CheckStatus status, String found, String fix) {
  /// All is well.
  public static CheckResult ok(String subject, String found) {
    return new CheckResult(subject, CheckStatus.OK, found, "");
  }

  /// Someone should look.
  public static CheckResult warning(String subject, String found, String fix) {
    return new CheckResult(subject, CheckStatus.WARNING, found, fix);
  }

  /// Runs will fail.
  public static CheckResult failure(String subject, String found, String fix) {
    return new CheckResult(subject, CheckStatus.FAILURE, found, fix);
  }

  /// The same of a reason as the adapters write it, what came back and then, behind a semicolon,
  /// what to do: `HTTP 401: the token was refused; check FAIRWINDS_TOKEN`.
  public static CheckResult failure(String subject, String reason) {
    return split(subject, CheckStatus.FAILURE, reason);
  }

  /// It could not be asked, for such a reason.
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
