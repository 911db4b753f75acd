package dev.policysync.report;

/// The API has not taken what was sent. Its message says what was tried, what came back and what to
/// do, and quotes neither the report nor a header.
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
