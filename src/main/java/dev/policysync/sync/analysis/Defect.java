package dev.policysync.sync.analysis;

/// A defect of ours in what only finds something out. That must not be what stops a sync: it says
/// that nobody knows, which whoever holds back takes for a reason to.
public final class Defect {
  private Defect() {}

  public static String text(RuntimeException e) {
    return "internal error in policy-sync, "
        + e.getClass().getSimpleName()
        + (e.getStackTrace().length == 0 ? "" : " at " + e.getStackTrace()[0]);
  }
}
