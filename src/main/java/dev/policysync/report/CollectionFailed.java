package dev.policysync.report;

/// Something of what there is could not be read, so nothing is known for sure: a finding that is
/// not seen would read as fixed.
///
/// Its message says what was tried, what came back and what to do, and quotes no report.
public final class CollectionFailed extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public CollectionFailed(String message) {
    super(message);
  }

  public CollectionFailed(String message, Throwable cause) {
    super(message, cause);
  }

  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }
}
