package dev.policysync.check;

/// One line of a check.
///
/// @param subject what was asked about: `Lease`
/// @param found what was tried, on what, and what came back
/// @param fix what to do; empty where there is nothing to do
public record Answer(String subject, Verdict verdict, String found, String fix) {
  /// All is well.
  public static Answer ok(String subject, String found) {
    return new Answer(subject, Verdict.OK, found, "");
  }

  /// Someone should look.
  public static Answer warning(String subject, String found, String fix) {
    return new Answer(subject, Verdict.WARNING, found, fix);
  }

  /// Runs will fail.
  public static Answer failure(String subject, String found, String fix) {
    return new Answer(subject, Verdict.FAILURE, found, fix);
  }

  /// The same of a reason as the adapters write it, what came back and then, behind a semicolon,
  /// what to do: `HTTP 401: the token was refused; check FAIRWINDS_TOKEN`.
  public static Answer failure(String subject, String reason) {
    return split(subject, Verdict.FAILURE, reason);
  }

  /// It could not be asked, for such a reason.
  public static Answer unknown(String subject, String reason) {
    return split(subject, Verdict.UNKNOWN, reason);
  }

  private static Answer split(String subject, Verdict verdict, String reason) {
    var end = reason.indexOf("; ");
    return end < 0
        ? new Answer(subject, verdict, reason, "")
        : new Answer(subject, verdict, reason.substring(0, end), reason.substring(end + 2));
  }
}
