package dev.policysync.plan.impact;

/// Which way a change goes, seen from a request that may be blocked.
public enum Direction {
  TIGHTENS("tightens"),
  LOOSENS("loosens"),
  /// Nobody can tell from the text; to be on the safe side it counts as tightening.
  CHANGED("may tighten");

  private final String text;

  Direction(String text) {
    this.text = text;
  }

  /// Whether more may be blocked than before.
  public boolean mayTighten() {
    return this != LOOSENS;
  }

  @Override
  public String toString() {
    return text;
  }
}
