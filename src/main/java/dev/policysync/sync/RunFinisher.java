package dev.policysync.sync;

import dev.policysync.plan.Approval;
import dev.policysync.plan.ApprovalState;
import dev.policysync.plan.Plan;
import dev.policysync.plan.PolicyDiff;
import dev.policysync.policy.Digest;
import dev.policysync.policy.PolicyId;
import dev.policysync.sync.analysis.NotInForce;
import dev.policysync.sync.execution.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Ends a run that has a plan: creates its result and records the state for the next run.
final class RunFinisher {
  private final StatusRecorder statusRecorder;
  private final RunStateStore runState;

  RunFinisher(StatusRecorder statusRecorder, RunStateStore runState) {
    this.statusRecorder = statusRecorder;
    this.runState = runState;
  }

  /// Ends a run that may have written something.
  ///
  /// @param report has received every outcome
  /// @param found what to record about the policies that are in sync
  SyncResult finish(
      PlannedRun plannedRun,
      List<Outcome> outcomes,
      StatusReport report,
      InSyncCheck.NextState found) {
    var remarks = new ArrayList<>(plannedRun.remarks());
    remarks.addAll(statusRecorder.end(plannedRun, outcomes, report, found));
    return finished(plannedRun, outcomes, Map.of(), remarks);
  }

  /// Ends a run that found feed and cluster unchanged.
  SyncResult.Finished finishUnchanged(Plan plan, Digest feed, List<NotInForce> notInForce) {
    return new SyncResult.Finished(
        plan,
        List.of(),
        feed,
        Map.of(),
        Optional.empty(),
        Optional.empty(),
        List.of(),
        notInForce,
        List.of(),
        Optional.empty());
  }

  /// Ends a dry run: nothing is reported or recorded.
  ///
  /// @param changes what each write would change, by policy
  SyncResult.Finished finishPreview(
      PlannedRun plannedRun, List<Outcome> outcomes, Map<PolicyId, PolicyDiff> changes) {
    return finished(plannedRun, outcomes, changes, plannedRun.remarks());
  }

  private SyncResult.Finished finished(
      PlannedRun plannedRun,
      List<Outcome> outcomes,
      Map<PolicyId, PolicyDiff> changes,
      List<String> remarks) {
    var plan = plannedRun.plan();
    var warnings = new ArrayList<>(plannedRun.recorded().lasting().warnings(plan, outcomes));
    warnings.addAll(remarks);
    var removals = instructions(Approval.Of.REMOVALS, plan.approvals().removals());
    var enforcing =
        instructions(Approval.Of.ENFORCEMENT, plan.approvals().enforcement().approvalState());
    plannedRun.older().ifPresent(OutcomeLog::withheldForAge);
    OutcomeLog.withheld(plan);
    removals.ifPresent(approval -> OutcomeLog.withheldRemovals(plan, approval));
    enforcing.ifPresent(approval -> OutcomeLog.withheldEnforcement(plan, approval));
    return new SyncResult.Finished(
        plan,
        outcomes,
        plannedRun.feed(),
        changes,
        removals,
        enforcing,
        plannedRun.impacts(),
        plannedRun.notInForce(outcomes),
        warnings,
        plannedRun.conversions());
  }

  private Optional<ApprovalInstructions> instructions(
      Approval.Of what, ApprovalState approvalState) {
    return approvalState instanceof ApprovalState.Missing(var list, _)
        ? Optional.of(new ApprovalInstructions(list, runState.commandToApprove(what, list)))
        : Optional.empty();
  }
}
