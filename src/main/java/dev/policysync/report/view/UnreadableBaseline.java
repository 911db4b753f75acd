package dev.policysync.report.view;

/// A file is not what `report -o json` wrote, or cannot be read. Its message names the file and
/// what to do, and quotes nothing of it.
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
