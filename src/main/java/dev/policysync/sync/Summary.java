package dev.policysync.sync;

import dev.policysync.plan.Action;
import dev.policysync.plan.Plan;
import dev.policysync.plan.PolicyDiff;
import dev.policysync.policy.Digest;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.Position;
import dev.policysync.sync.analysis.PolicyConversion;
import dev.policysync.sync.analysis.WriteImpact;
import dev.policysync.sync.execution.WriteMode;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// The result of a run, for people and log queries. Policies are named like
/// `ClusterPolicy/team-label`.
///
/// @param status decides the exit code
/// @param impact the writes that change what is blocked, including withheld ones
/// @param conversions how the feed's policies that Kyverno 1.20 no longer executes are converted;
///   empty if this was not requested
/// @param skipped why the run did nothing, if another run holds the Lease
/// @param feed the digest of the feed, if it was read
/// @param namespace the namespace of the Lease, if the run looked for it
public record Summary(
    RunStatus status,
    Duration duration,
    boolean dryRun,
    Writes writes,
    Pending pending,
    Untouched untouched,
    List<WriteImpact> impact,
    Optional<List<PolicyConversion>> conversions,
    List<String> warnings,
    Optional<String> skipped,
    Optional<Digest> feed,
    Optional<AgentNamespace> namespace) {

  /// The writes of the run; in a dry run, the writes that a real run would make.
  ///
  /// @param failed problems with a policy, or with the run
  /// @param notAttempted actions that the run did not start
  public record Writes(
      List<Change> applied,
      List<Change> updated,
      List<Change> removed,
      List<Problem> failed,
      List<Note> notAttempted) {
    public static final Writes NONE =
        new Writes(List.of(), List.of(), List.of(), List.of(), List.of());
  }

  /// What the run left to a person or to a later run.
  ///
  /// @param withheld removals and other writes that a guard withholds, and why
  /// @param waiting actions that wait for a later run, because Kyverno must first learn of another
  ///   write
  /// @param approval how to approve the removals, if a person can
  /// @param enforcing how to approve the writes that would block more requests
  /// @param approvals the approvals that applied to this run
  public record Pending(
      List<Plan.Withheld> withheld,
      List<Note> waiting,
      Optional<ApprovalInstructions> approval,
      Optional<ApprovalInstructions> enforcing,
      List<String> approvals) {
    public static final Pending NOTHING =
        new Pending(List.of(), List.of(), Optional.empty(), Optional.empty(), List.of());

    /// Returns the withheld changes, each with its guard's reason in words.
    public List<Note> withheldNotes() {
      return withheld.stream()
          .map(change -> new Note(change.id().toString(), change.reason()))
          .toList();
    }
  }

  /// Policies that the run did not write.
  ///
  /// @param unchanged the number of policies in sync
  /// @param conflicts policies of an expected name that are not ours, with the reason
  /// @param notInForce policies that are in sync but not executed by Kyverno, with the reason
  /// @param ignored policies annotated with `policysync.dev/reconcile: disabled`, with who set it
  ///   and when
  /// @param terminating policies that are being deleted; they stay in force until they are gone
  public record Untouched(
      int unchanged,
      List<Note> conflicts,
      List<Note> notInForce,
      List<Note> ignored,
      List<Note> terminating) {
    /// Returns the counts of a run in which every policy was in sync.
    public static Untouched inSync(int unchanged) {
      return new Untouched(unchanged, List.of(), List.of(), List.of(), List.of());
    }
  }

  /// How a run ended.
  public enum RunStatus {
    /// In sync, or skipped because another run holds the Lease.
    DONE,
    /// A write failed or was not attempted, a policy failed or is not in force, or the run failed.
    FAILED,
    /// A guard withheld a write, or a policy is in conflict. Everything else was done.
    WITHHELD,
    /// A signal stopped the run.
    STOPPED
  }

  /// A write and its cause.
  ///
  /// @param by the clients whose change caused the write, if known
  public record Change(
      PolicyId policy, Action.Cause cause, List<String> by, PolicyDiff policyDiff) {
    /// Creates a change that no other client caused.
    public Change(PolicyId policy, Action.Cause cause, PolicyDiff policyDiff) {
      this(policy, cause, List.of(), policyDiff);
    }

    public Change {
      by = List.copyOf(by);
    }
  }

  /// A failure of a policy, or of the run.
  ///
  /// @param label the policy, or its position in the feed; empty if the run itself failed
  /// @param name the policy's name, if it has one
  /// @param position where the policy is in the feed, if the run tried to write it
  public record Problem(
      Optional<String> label,
      Optional<String> name,
      String reason,
      boolean retryable,
      Optional<Position> position) {
    /// Creates a problem without a place in the feed.
    public Problem(
        Optional<String> label, Optional<String> name, String reason, boolean retryable) {
      this(label, name, reason, retryable, Optional.empty());
    }
  }

  /// A policy and the reason why it is listed.
  public record Note(String policy, String reason) {
    /// Groups notes by their reason. Reasons that differ only in the policy's own name are the same
    /// reason, as in `apply ClusterPolicy/a: HTTP 403`.
    public static List<List<Note>> byReason(List<Note> notes) {
      return List.copyOf(
          notes.stream()
              .collect(
                  Collectors.groupingBy(
                      Note::reasonWithoutName, LinkedHashMap::new, Collectors.toList()))
              .values());
    }

    private String reasonWithoutName() {
      var name = policy.substring(policy.lastIndexOf('/') + 1);
      return reason.replace(policy, "…").replace('"' + name + '"', "…");
    }
  }

  /// Summarizes a result, without the namespace of the Lease.
  ///
  /// @param now the time for deciding which deletions take too long
  public static Summary of(SyncResult result, WriteMode writeMode, Duration duration, Instant now) {
    return new SummaryBuilder(writeMode, duration, now, Optional.empty()).of(result);
  }

  /// Summarizes the result of a run.
  ///
  /// @param now the time for deciding which deletions take too long
  /// @param namespace the namespace of the Lease
  public static Summary of(
      SyncResult result,
      WriteMode writeMode,
      Duration duration,
      Instant now,
      AgentNamespace namespace) {
    return new SummaryBuilder(writeMode, duration, now, Optional.of(namespace)).of(result);
  }

  /// Returns whether this run or a later one writes something, or would in a dry run.
  public boolean changes() {
    return !writes.applied.isEmpty()
        || !writes.updated.isEmpty()
        || !writes.removed.isEmpty()
        || !pending.waiting.isEmpty();
  }
}
