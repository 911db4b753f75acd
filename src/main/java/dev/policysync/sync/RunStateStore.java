package dev.policysync.sync;

import dev.policysync.plan.Approval;
import dev.policysync.policy.Digest;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// Stores the state for the next run, and the approvals that a person gives. The store is the
/// Lease.
///
/// This is not a lock. A run that does not hold the Lease may still record that it sent a status.
/// Every update is applied to the current state, so that the update of another run is never lost.
public interface RunStateStore {
  /// Loads the recorded state.
  ///
  /// @throws dev.policysync.sync.execution.ClusterUnavailable if the state cannot be read
  Stored load();

  /// Updates the recorded state; writes nothing if the change has no effect.
  ///
  /// @throws dev.policysync.sync.execution.ClusterUnavailable if the state cannot be written
  void update(UnaryOperator<RunState> change);

  /// Uses up an approval by removing it. If several runs try, only one gets true, and may do what
  /// was approved.
  ///
  /// @throws dev.policysync.sync.execution.ClusterUnavailable if the state cannot be written
  boolean use(Approval approval);

  /// Removes an approval that was not used and whose list is no longer requested.
  ///
  /// @throws dev.policysync.sync.execution.ClusterUnavailable if the state cannot be written
  void end(Approval approval);

  /// Records when the current approvals were given, and removes those that are too old. Later
  /// writes to the Lease make no approval younger.
  ///
  /// @throws dev.policysync.sync.execution.ClusterUnavailable if the state cannot be written
  void noteApprovals();

  /// Returns the command with which a person approves this list; it works once the Lease exists.
  String commandToApprove(Approval.Of what, Digest list);

  /// The state that earlier runs recorded, and the approvals that people gave.
  ///
  /// @param leaseExists whether the Lease exists, so that a person can approve
  /// @param approval an approval of removals
  /// @param enforcing an approval of writes of stricter policies
  /// @param approvalsNoted whether [#noteApprovals()] has nothing to do
  record Stored(
      boolean leaseExists,
      RunState state,
      Optional<Approval> approval,
      Optional<Approval> enforcing,
      boolean approvalsNoted) {
    /// Creates a state in which the approvals need no recording.
    public Stored(
        boolean leaseExists,
        RunState runState,
        Optional<Approval> approval,
        Optional<Approval> enforcing) {
      this(leaseExists, runState, approval, enforcing, true);
    }

    public static final Stored NOTHING =
        new Stored(false, RunState.NONE, Optional.empty(), Optional.empty());
  }
}
