package dev.policysync.policy;

/// The relation of a successor to the policy of the feed that it replaces, because Kyverno 1.20 no
/// longer executes that legacy policy.
///
/// @param legacy the feed's policy, to which statuses, budgets and messages refer
/// @param stage how far the replacement has progressed
public record Succession(PolicyId legacy, Stage stage) {
  public boolean rehearses() {
    return stage == Stage.REHEARSAL;
  }

  /// How far a successor has replaced the legacy policy.
  public enum Stage {
    /// The successor only audits, beside the legacy policy, until reports show that both give the
    /// same results.
    REHEARSAL("in rehearsal"),
    /// The successor does what the legacy policy does. The legacy policy stays until Kyverno
    /// executes the successor.
    SIDE_BY_SIDE("side by side"),
    /// Only the successor is expected. The legacy policy is removed if it still exists.
    REPLACEMENT("replaced");

    private final String text;

    Stage(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
