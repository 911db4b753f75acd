package dev.policysync.sync;

import dev.policysync.plan.Plan;
import dev.policysync.plan.PolicyDiff;
import dev.policysync.policy.Digest;
import dev.policysync.policy.PolicyId;
import dev.policysync.sync.analysis.NotInForce;
import dev.policysync.sync.analysis.PolicyConversion;
import dev.policysync.sync.analysis.WriteImpact;
import dev.policysync.sync.execution.Outcome;
import dev.policysync.sync.execution.StopReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

public sealed interface SyncResult {
  /// The plan was executed; the outcomes show how far.
  ///
  /// @param feed the digest of the feed that the plan was made from
  /// @param changes for `diff`: what each write would change, by policy
  /// @param removalApproval how to approve withheld removals, if a person can
  /// @param enforcementApproval how to approve withheld writes of stricter policies
  /// @param notInForce policies that are in sync and not in force
  /// @param impacts the writes that change what is blocked, including withheld ones
  /// @param remarks other problems, which do no harm to the policies
  /// @param conversions how the feed's policies that Kyverno 1.20 no longer executes would be
  ///   converted, if this was requested
  record Finished(
      Plan plan,
      List<Outcome> outcomes,
      Digest feed,
      Map<PolicyId, PolicyDiff> changes,
      Optional<ApprovalInstructions> removalApproval,
      Optional<ApprovalInstructions> enforcementApproval,
      List<WriteImpact> impacts,
      List<NotInForce> notInForce,
      List<String> remarks,
      Optional<List<PolicyConversion>> conversions)
      implements SyncResult {
    public Finished(
        Plan plan,
        List<Outcome> outcomes,
        Digest feed,
        Map<PolicyId, PolicyDiff> changes,
        Optional<ApprovalInstructions> how,
        List<String> remarks) {
      this(
          plan,
          outcomes,
          feed,
          changes,
          how,
          Optional.empty(),
          List.of(),
          List.of(),
          remarks,
          Optional.empty());
    }

    public Finished {
      impacts = List.copyOf(impacts);
      notInForce = List.copyOf(notInForce);
      outcomes = List.copyOf(outcomes);
      changes = Map.copyOf(changes);
      remarks = List.copyOf(remarks);
      conversions = conversions.map(List::copyOf);
    }

    Finished converting(List<PolicyConversion> found) {
      return with(remarks, Optional.of(found));
    }

    Finished remarking(String remark) {
      var more = new ArrayList<>(remarks);
      more.add(remark);
      return with(more, conversions);
    }

    private Finished with(List<String> said, Optional<List<PolicyConversion>> found) {
      return new Finished(
          plan,
          outcomes,
          feed,
          changes,
          removalApproval,
          enforcementApproval,
          impacts,
          notInForce,
          said,
          found);
    }
  }

  /// Another run holds the Lease; nothing was written.
  ///
  /// @param objection why the holder cannot be a running agent, and what to do; empty if it can be
  record Skipped(String holder, Digest feed, Optional<String> objection) implements SyncResult {}

  /// A signal arrived while the plan was executed, or before everything was reported.
  record Interrupted(Finished run) implements SyncResult {}

  /// The run was ended from outside, or failed.
  ///
  /// @param run the result so far; empty if there was no plan yet
  record CutOff(String reason, Optional<Finished> run) implements SyncResult {
    public static CutOff during(String reason, Plan plan, Digest feed, List<Outcome> ended) {
      var outcomes = new ArrayList<>(ended);
      var known = ended.stream().map(Outcome::action).collect(Collectors.toSet());
      plan.actions().stream()
          .filter(action -> !known.contains(action))
          .forEach(action -> outcomes.add(new Outcome.NotAttempted(action, StopReason.CUT_OFF)));
      var run = new Finished(plan, outcomes, feed, Map.of(), Optional.empty(), List.of());
      return new CutOff(reason, Optional.of(run));
    }
  }

  record Stopped() implements SyncResult {}

  /// The feed could not be trusted, or the cluster could not be read or locked. Nothing was
  /// written.
  record Refused(String reason, boolean retryable) implements SyncResult {}
}
