package dev.policysync.sync;

import dev.policysync.plan.Action;
import dev.policysync.plan.Plan;
import dev.policysync.plan.PolicyDiff;
import dev.policysync.policy.Digest;
import dev.policysync.policy.PolicyId;
import dev.policysync.sync.analysis.PolicyConversion;
import dev.policysync.sync.analysis.WriteImpact;
import dev.policysync.sync.execution.WriteMode;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// The facts of a run for people and log queries. Policies read as `ClusterPolicy/team-label`.
///
/// @param status decides the exit code
/// @param impact the writes that change what is blocked, withheld ones included
/// @param conversions what becomes of the feed's policies that Kyverno 1.20 no longer executes, if
///   this was requested
/// @param skipped why nothing was done, if another run holds the Lease
/// @param feed the digest of the feed, if one was read
/// @param namespace of the Lease, if the run looked for it
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

  /// What the run wrote or tried to write. In a dry run, what it would write.
  ///
  /// @param failed problems with a policy, or with the run
  /// @param notAttempted actions that the run did not get to
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
  /// @param withheld removals and other writes that a guard holds back, with the guard
  /// @param waiting actions that a later run does, when Kyverno knows what they depend on
  /// @param approval how to approve the removals, if a person may
  /// @param enforcing how to approve what would block more than before
  /// @param approvals what a person had approved, if this run needed it
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
  /// @param unchanged how many are in sync
  /// @param conflicts policies whose name is taken, with the reason
  /// @param notInForce policies that are in sync and that Kyverno does not execute, with the reason
  /// @param ignored policies that somebody told the agent to leave alone, with who and when
  /// @param terminating policies that are being removed and stay in force until then
  public record Untouched(
      int unchanged,
      List<Note> conflicts,
      List<Note> notInForce,
      List<Note> ignored,
      List<Note> terminating) {
    /// Returns policies that are in sync, and no others.
    public static Untouched inSync(int unchanged) {
      return new Untouched(unchanged, List.of(), List.of(), List.of(), List.of());
    }
  }

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
      return reason.replace(policy, "…").replace(name, "…");
    }
  }

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
    return !writes.applied.isEmpty()
        || !writes.updated.isEmpty()
        || !writes.removed.isEmpty()
        || !pending.waiting.isEmpty();
  }
}
