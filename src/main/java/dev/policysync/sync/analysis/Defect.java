package dev.policysync.sync.analysis;

/// Describes a bug of this agent in a part that only analyzes. Such a bug must not stop a sync: the
/// result of the analysis is then unknown, and a guard may withhold the write for that.
public final class Defect {
  private Defect() {}

  public static String text(RuntimeException e) {
    return "internal error in policy-sync, "
        + e.getClass().getSimpleName()
        + (e.getStackTrace().length == 0 ? "" : " at " + e.getStackTrace()[0]);
  }
}
