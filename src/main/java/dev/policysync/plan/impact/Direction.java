package dev.policysync.plan.impact;

/// Whether a change makes a policy block more or fewer requests.
public enum Direction {
  TIGHTENS("tightens"),
  LOOSENS("loosens"),
  /// Unknown from the policy's text. To be safe, this counts as tightening.
  CHANGED("may tighten");

  private final String text;

  Direction(String text) {
    this.text = text;
  }

  public boolean mayTighten() {
    return this != LOOSENS;
  }

  @Override
  public String toString() {
    return text;
  }
}
