package dev.policysync.report;

/// Signals that the API did not accept a request. The message says what was tried, what the
/// response was and what to do. It quotes neither the report nor a header.
public final class UploadFailed extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UploadFailed(String message, Throwable cause) {
    super(message, cause);
  }

  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }
}
