package dev.policysync.report;

/// The remote API, as far as reports are concerned.
public interface ReportUpload {
  /// Sends a whole report.
  ///
  /// @throws UploadFailed if the API has not taken it
  void send(UploadBody body);

  /// Says that there is no report this time.
  ///
  /// @param reason a line of bounded length that quotes no report, no name of a host and no token
  /// @throws UploadFailed if the API has not taken that
  void sendFailure(String reason);
}
