package dev.policysync.sync.execution;

import dev.policysync.plan.Failure;

/// The cluster cannot be read, so nothing can be decided.
public final class ClusterUnavailable extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Failure failure;

  /// Creates the exception with the failure, which says what was tried and what the response was.
  public ClusterUnavailable(Failure failure) {
    super(failure.reason());
    this.failure = failure;
  }

  public Failure failure() {
    return failure;
  }
}
