package dev.policysync.inspect;

/// The reason why a live policy is not exported.
public enum ExclusionReason {
  NOT_OURS("not managed by policy-sync (use --all to export)"),
  COPY("copies of a managed policy (use --all to export)"),
  OTHER_SOURCE("of another organization or cluster (use --all to export)"),
  GENERATED("generated from another object"),
  REHEARSING("made of another policy, which only rehearse it (CONVERT=apply)"),
  TERMINATING("being deleted");

  private final String text;

  ExclusionReason(String text) {
    this.text = text;
  }

  /// Returns the text that follows a count: `3 not managed by policy-sync (use --all to export)`.
  @Override
  public String toString() {
    return text;
  }
}
