package dev.policysync.export;

/// Why a policy of the cluster is not exported.
public enum ExclusionReason {
  NOT_OURS("not ours (--all exports them)"),
  COPY("copied from a policy of ours (--all exports them)"),
  OTHER_SOURCE("of another organization or cluster (--all exports them)"),
  GENERATED("made by another object, which makes them again"),
  TERMINATING("being deleted");

  private final String text;

  ExclusionReason(String text) {
    this.text = text;
  }

  /// Follows their number: `3 not ours (--all exports them)`.
  @Override
  public String toString() {
    return text;
  }
}
