package dev.policysync.sync;

import dev.policysync.plan.Action;
import dev.policysync.plan.PolicyDiff;
import dev.policysync.policy.Digest;
import dev.policysync.policy.PolicyId;
import dev.policysync.sync.analysis.PolicyConversion;
import dev.policysync.sync.analysis.WriteImpact;
import dev.policysync.sync.execution.WriteMode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// A run in a form for people and log queries: everything that happened, nothing that was counted
/// along the way. Policies read as `ClusterPolicy/team-label`.
///
/// @param status what the exit code is made of
/// @param conflicts policies whose name is taken, with the reason
/// @param withheld removals and other writes that a guard holds back, with the guard
/// @param approval how to let the removals through, where a person may
/// @param enforcing how to let through what would block more than before
/// @param impact which writes change what is blocked, those that are withheld too
/// @param waiting what a later run does, when Kyverno knows what it depends on
/// @param notInForce policies that are in sync and that nothing executes, with the reason
/// @param ignored policies that are left alone because somebody asked for it, with who and when
/// @param terminating policies that are being removed and stay in force until then
/// @param conversions what would become of the feed's policies that Kyverno 1.20 no longer
///   executes, where somebody asked
/// @param approvals what a person had approved, where this run needed it
/// @param skipped why nothing was done, when another run has the Lease
/// @param feed digest of the feed, where one was read
/// @param namespace of the Lease, where it came to that
public record Summary(
    RunStatus status,
    Duration duration,
    List<Change> applied,
    List<Change> updated,
    List<Change> removed,
    List<Problem> failed,
    int unchanged,
    List<Note> withheld,
    Optional<ApprovalInstructions> approval,
    Optional<ApprovalInstructions> enforcing,
    List<WriteImpact> impact,
    List<Note> conflicts,
    List<Note> notAttempted,
    List<Note> waiting,
    List<Note> notInForce,
    List<Note> ignored,
    List<Note> terminating,
    Optional<List<PolicyConversion>> conversions,
    List<String> approvals,
    List<String> warnings,
    boolean dryRun,
    Optional<String> skipped,
    Optional<Digest> feed,
    Optional<AgentNamespace> namespace) {

  /// How a run ended.
  public enum RunStatus {
    /// In sync, or nothing to do because another run is at work.
    DONE,
    /// Something failed.
    FAILED,
    /// A guard held something back; the rest was done.
    WITHHELD,
    /// A signal stopped it.
    STOPPED
  }

  /// What was done to a policy and why.
  ///
  /// @param by who had changed it, where that is why and where it is known
  public record Change(
      PolicyId policy, Action.Cause cause, List<String> by, PolicyDiff policyDiff) {
    /// A change that nobody else caused.
    public Change(PolicyId policy, Action.Cause cause, PolicyDiff policyDiff) {
      this(policy, cause, List.of(), policyDiff);
    }

    public Change {
      by = List.copyOf(by);
    }
  }

  /// What went wrong with a policy, or with the run.
  ///
  /// @param label the policy, or its place in the feed; none where the run itself failed
  /// @param name the policy's name, if it has one
  public record Problem(
      Optional<String> label, Optional<String> name, String reason, boolean retryable) {}

  /// A policy and a remark.
  public record Note(String policy, String reason) {}

  /// What that result amounts to.
  ///
  /// @param now by which what lasts for too long is told
  public static Summary of(SyncResult result, WriteMode writeMode, Duration duration, Instant now) {
    return new SummaryBuilder(writeMode, duration, now, Optional.empty()).of(result);
  }

  /// What the result of a run amounts to.
  ///
  /// @param now by which what lasts for too long is told
  /// @param namespace of the Lease that the run was about
  public static Summary of(
      SyncResult result,
      WriteMode writeMode,
      Duration duration,
      Instant now,
      AgentNamespace namespace) {
    return new SummaryBuilder(writeMode, duration, now, Optional.of(namespace)).of(result);
  }

  /// Whether anything is, or in a dry run would be, written, by this run or a later one.
  public boolean changes() {
    return !applied.isEmpty() || !updated.isEmpty() || !removed.isEmpty() || !waiting.isEmpty();
  }
}
