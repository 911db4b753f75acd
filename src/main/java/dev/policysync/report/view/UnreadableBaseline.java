package dev.policysync.report.view;

/// Signals that a file cannot be read or was not written by `report -o json`. The message names the
/// file and what to do, and quotes nothing from it.
public final class UnreadableBaseline extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnreadableBaseline(String message, Throwable cause) {
    super(message, cause);
  }

  UnreadableBaseline(String message) {
    super(message);
  }

  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }
}
