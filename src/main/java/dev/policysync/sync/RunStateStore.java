package dev.policysync.sync;

import dev.policysync.plan.Approval;
import dev.policysync.policy.Digest;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// Where runs leave what the next one has to know, and where a person approves removals: the Lease.
///
/// It is no lock. A run that holds none may still tell the next one that it sent a status; every
/// change is made to what is there at that moment, so that nobody's note is lost.
public interface RunStateStore {
  /// What is there.
  ///
  /// @throws ClusterUnavailable if that cannot be read
  Stored load();

  /// Changes what is there; nothing is written where that changes nothing.
  ///
  /// @throws ClusterUnavailable if that cannot be written
  void update(UnaryOperator<RunState> change);

  /// Takes an approval away. Of all who try, one gets true: what was approved is its to do.
  ///
  /// @throws ClusterUnavailable if that cannot be written
  boolean use(Approval approval);

  /// Takes an approval away that is not used, since its list is no longer asked for.
  ///
  /// @throws ClusterUnavailable if that cannot be written
  void end(Approval approval);

  /// Notes since when the approvals that are there are there, and takes away those that are void by
  /// their age. Whatever is written to the Lease later makes none of them younger.
  ///
  /// @throws ClusterUnavailable if that cannot be written
  void noteApprovals();

  /// The command by which a person approves that list; it works once there is a memory.
  String commandToApprove(Approval.Of what, Digest list);

  /// What earlier runs and people left.
  ///
  /// @param there whether there is anything yet that a person could approve on
  /// @param approval of removals
  /// @param enforcing of what begins to block
  /// @param approvalsNoted whether there is nothing for [#noteApprovals()] to do
  record Stored(
      boolean there,
      RunState state,
      Optional<Approval> approval,
      Optional<Approval> enforcing,
      boolean approvalsNoted) {
    /// With nothing to note about the approvals.
    public Stored(
        boolean there,
        RunState runState,
        Optional<Approval> approval,
        Optional<Approval> enforcing) {
      this(there, runState, approval, enforcing, true);
    }

    /// Nobody left anything.
    public static final Stored NOTHING =
        new Stored(false, RunState.NONE, Optional.empty(), Optional.empty());
  }
}
