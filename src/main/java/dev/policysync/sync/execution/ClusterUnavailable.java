package dev.policysync.sync.execution;

import dev.policysync.plan.Failure;

/// The cluster cannot be read, so nothing can be judged.
public final class ClusterUnavailable extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Failure failure;

  /// With the failure that says what was tried and what came back.
  public ClusterUnavailable(Failure failure) {
    super(failure.reason());
    this.failure = failure;
  }

  /// What failed.
  public Failure failure() {
    return failure;
  }
}
