package dev.policysync.report;

/// Sends reports to the remote API.
public interface ReportUpload {
  /// Uploads a complete report.
  ///
  /// @throws UploadFailed if the API did not accept it
  void send(UploadBody body);

  /// Notifies the API that there is no report this time.
  ///
  /// @param reason a line of bounded length that quotes no report, host name or token
  /// @throws UploadFailed if the API did not accept it
  void sendFailure(String reason);
}
