package dev.policysync.sync.execution;

/// Why an action was not tried.
public enum StopReason {
  LEASE_LOST("the Lease was lost"),
  DEADLINE("the run's TIMEOUT was reached"),
  SIGNAL("the run was stopped by a signal"),
  WEBHOOK_DOWN("an admission webhook cannot be reached"),
  SERVER_DOWN("the API server cannot be reached"),
  EARLIER_FAILURE("a policy could not be applied, for a reason that may pass"),
  STILL_NEEDED("a policy that it may still serve could not be changed or removed before it"),
  UNSHIELDED(
      "it would block more, and an exception or a context entry for it could not be applied"),
  CHANGED_MEANWHILE("it changed since it was judged; the next run judges it anew"),
  SUCCESSOR_NOT_IN_FORCE("the policy of that name and another kind is not in force yet"),
  APPROVAL_GONE("the approval was used or withdrawn meanwhile");

  private final String text;

  StopReason(String text) {
    this.text = text;
  }

  @Override
  public String toString() {
    return text;
  }
}
