package dev.policysync.report;

/// A result that counts, with the number of equal results of the Pods, ReplicaSets and Jobs that
/// its resource controls.
final class DedupedResult {
  private final SpilledResult spilledResult;
  private int pods;
  private boolean isMerged;

  DedupedResult(SpilledResult spilledResult) {
    this.spilledResult = spilledResult;
  }

  public SpilledResult spilledResult() {
    return spilledResult;
  }

  int pods() {
    return pods;
  }

  /// Returns whether this result is counted as part of its controller's.
  boolean isMerged() {
    return isMerged;
  }

  void mergeInto(DedupedResult controller) {
    isMerged = true;
    controller.pods++;
  }
}
