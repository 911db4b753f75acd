package dev.policysync.sync.execution;

public enum StopReason {
  LEASE_LOST("the Lease was lost"),
  DEADLINE("the run's TIMEOUT was reached"),
  SIGNAL("the run was stopped by a signal"),
  WEBHOOK_DOWN("an admission webhook cannot be reached"),
  SERVER_DOWN("the API server cannot be reached"),
  EARLIER_FAILURE("a policy could not be applied because of a temporary failure"),
  UNSHIELDED(
      "it would block more requests, and an exception or context entry for it is not in force"),
  CHANGED_MEANWHILE("it changed during the run; the next run evaluates it again"),
  CUT_OFF("the run ended before the result was known; it may have been done"),
  SUCCESSOR_NOT_IN_FORCE("the policy that takes its place is not in force"),
  APPROVAL_GONE("the approval was used or withdrawn in the meantime");

  private final String text;

  StopReason(String text) {
    this.text = text;
  }

  /// Returns whether this reason ended all further attempts, without a failed policy that explains
  /// it.
  public boolean endsTheRun() {
    return this == LEASE_LOST || this == DEADLINE;
  }

  @Override
  public String toString() {
    return text;
  }
}
