package dev.policysync.plan;

/// What holds a removal or another write back.
public enum Guard {
  /// The feed was empty.
  EMPTY_FEED("the feed is empty", true, true),
  /// More removals than a day's runs may do.
  OVER_BUDGET("more removals than MAX_REMOVALS allows", true, true),
  /// What earlier runs recorded cannot be read, so nobody knows what the day's runs have removed.
  STATE_UNREADABLE("the recorded state of earlier runs could not be read", true, true),
  /// A document of the feed could not be read.
  FEED_INCOMPLETE("a document of the feed could not be read", true, false),
  /// A kind could not be listed.
  CLUSTER_INCOMPLETE("a kind could not be listed", true, false),
  /// What is to take its place, a policy of its name and another kind, cannot be applied.
  SUCCESSOR_STUCK("the policy of the same name with another kind cannot be applied", true, false),
  /// A policy that an exception or a context entry serves does not become what the feed says.
  STILL_SERVES("a policy that depends on it is not changed", true, false),
  /// Nobody knows whom an exception or a context entry serves.
  SERVES_UNKNOWN("the policies that depend on it are unknown", true, false),
  /// The write would block workloads that are there, or nobody knows whether it would.
  ENFORCEMENT("it would block more requests", false, true),
  /// Lint finds an error in the policy.
  HAZARD("lint reports an error", false, false),
  /// The write would block more than before, and what is to shield from that cannot be applied.
  UNSHIELDED(
      "it would block more requests without an exception or context entry that cannot be applied",
      false,
      false),
  /// Reports show that its successors judge some resources otherwise.
  REHEARSAL("its successors do not judge alike, and only audit", false, false),
  /// The feed is older than one that was written.
  OLDER_FEED("the feed is older than one that was applied before", false, false);

  private final String text;
  private final boolean onRemovals;
  private final boolean approvable;

  Guard(String text, boolean onRemovals, boolean approvable) {
    this.text = text;
    this.onRemovals = onRemovals;
    this.approvable = approvable;
  }

  /// Whether a person may let it through all the same. Not where nobody can know what is expected,
  /// or what is there.
  public boolean approvable() {
    return approvable;
  }

  /// Whether it holds back removals alone, for what the feed and the cluster are.
  public boolean onRemovals() {
    return onRemovals;
  }

  @Override
  public String toString() {
    return text;
  }
}
