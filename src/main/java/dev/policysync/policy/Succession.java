package dev.policysync.policy;

/// That a policy takes the place of one of the feed that Kyverno 1.20 no longer executes.
///
/// @param legacy the feed's policy: the one that statuses, budgets and people speak of
/// @param stage how far it has come
public record Succession(PolicyId legacy, Stage stage) {
  /// Whether it only audits.
  public boolean rehearses() {
    return stage == Stage.REHEARSAL;
  }

  /// How the two stand to each other.
  public enum Stage {
    /// It only audits, beside the legacy policy, until reports show that both judge alike.
    REHEARSAL("in rehearsal"),
    /// It does what the legacy policy does, which stays until Kyverno executes this one.
    SIDE_BY_SIDE("side by side"),
    /// It is all that is wanted; the legacy policy goes, where it is still there.
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
