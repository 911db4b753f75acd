package dev.policysync.report;

/// A result that counts, with how many others say the same of what its resource made.
public final class DedupedResult {
  private final SpilledResult spilledResult;
  private int pods;
  private boolean inAnother;

  DedupedResult(SpilledResult spilledResult) {
    this.spilledResult = spilledResult;
  }

  public SpilledResult entry() {
    return spilledResult;
  }

  int pods() {
    return pods;
  }

  /// Whether it is counted where its controller is.
  boolean inAnother() {
    return inAnother;
  }

  /// Counts it as one of that controller's.
  void foldInto(DedupedResult controller) {
    inAnother = true;
    controller.pods++;
  }
}
