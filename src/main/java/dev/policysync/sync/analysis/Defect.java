package dev.policysync.sync.analysis;

/// Describes a bug in a part of this agent that only analyzes. Such a bug must not stop a sync: the
/// result of the analysis is unknown then, and a guard may withhold the write because of that.
public final class Defect {
  private Defect() {}

  public static String text(RuntimeException e) {
    return "internal error in policy-sync, "
        + e.getClass().getSimpleName()
        + (e.getStackTrace().length == 0 ? "" : " at " + e.getStackTrace()[0]);
  }
}
