package dev.policysync.plan;

/// The reason why a removal or another write is withheld.
public enum Guard {
  EMPTY_FEED("the feed is empty", true, true),
  OVER_BUDGET("more removals than MAX_REMOVALS allows", true, true),
  /// The recorded state of earlier runs cannot be read, so the number of removals in the last day
  /// is unknown.
  STATE_UNREADABLE("the recorded state of earlier runs could not be read", true, true),
  FEED_INCOMPLETE("a document of the feed could not be read", true, false),
  CLUSTER_INCOMPLETE("a kind could not be listed", true, false),
  /// A policy of the same name and another kind should replace the removed one and cannot be
  /// applied.
  SUCCESSOR_STUCK("the policy of the same name with another kind cannot be applied", true, false),
  /// A policy that depends on the exception or context entry is not changed as the feed requires.
  STILL_SERVES("a policy that depends on it is not changed", true, false),
  SERVES_UNKNOWN("the policies that depend on it are unknown", true, false),
  /// The write would block existing workloads, or it is unknown whether it would.
  ENFORCEMENT("it would block more requests", false, true),
  HAZARD("lint reports an error", false, false),
  /// Kyverno could not write its webhook configuration any more, so that no change of any policy
  /// would have an effect.
  BREAKS_WEBHOOKS("it would break Kyverno's webhook configuration", false, false),
  /// The write would block more requests, and a shield of the policy cannot be applied.
  UNSHIELDED(
      "it would block more requests without an exception or context entry that cannot be applied",
      false,
      false),
  /// Policy reports show that the successors judge some resources differently.
  REHEARSAL("its successors do not judge alike, and only audit", false, false),
  OLDER_FEED("the feed is older than one that was applied before", false, false);

  private final String text;
  private final boolean onRemovals;
  private final boolean approvable;

  Guard(String text, boolean onRemovals, boolean approvable) {
    this.text = text;
    this.onRemovals = onRemovals;
    this.approvable = approvable;
  }

  /// Returns whether a person may approve the action. This is not possible while the feed or the
  /// cluster is not completely known.
  public boolean approvable() {
    return approvable;
  }

  /// Returns whether this guard withholds removals only, because of the state of the feed and the
  /// cluster.
  public boolean onRemovals() {
    return onRemovals;
  }

  @Override
  public String toString() {
    return text;
  }
}
