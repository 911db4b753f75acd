package dev.policysync.report;

/// A result that counts, with how many others say the same of what its resource made.
final class Folded {
  private final Entry entry;
  private int pods;
  private boolean inAnother;

  Folded(Entry entry) {
    this.entry = entry;
  }

  Entry entry() {
    return entry;
  }

  int pods() {
    return pods;
  }

  /// Whether it is counted where its controller is.
  boolean inAnother() {
    return inAnother;
  }

  /// Counts it as one of that controller's.
  void foldInto(Folded controller) {
    inAnother = true;
    controller.pods++;
  }
}
