package dev.policysync.report;

/// Signals that policies or reports could not be read completely. An incomplete report must not be
/// used, because its missing findings would count as fixed.
///
/// The message says what was tried, what the response was and what to do. It quotes no report.
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
