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

/// Ends a run that made a plan: sums up what came of it, and records what the next run has to send.
final class RunFinisher {
  private final StatusRecorder books;
  private final RunStateStore memory;

  RunFinisher(StatusRecorder books, RunStateStore memory) {
    this.books = books;
    this.memory = memory;
  }

  /// @param report that was told of all outcomes
  /// @param found what the next run is to know of policies that are in sync
  SyncResult of(
      PlannedRun plannedRun,
      List<Outcome> outcomes,
      StatusReport report,
      InSyncCheck.NextState found) {
    var remarks = new ArrayList<>(plannedRun.remarks());
    remarks.addAll(books.end(plannedRun, outcomes, report, found));
    return finished(plannedRun, outcomes, Map.of(), remarks);
  }

  /// Nothing was to be done.
  ///
  /// @param notInForce what is in sync and is not executed
  SyncResult ofUnchanged(Plan plan, Digest feed, List<NotInForce> notInForce) {
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

  /// Nobody is told of what would be done.
  ///
  /// @param changes what each write would change, by policy
  SyncResult ofPreview(
      PlannedRun plannedRun, List<Outcome> outcomes, Map<PolicyId, PolicyDiff> changes) {
    return finished(plannedRun, outcomes, changes, plannedRun.remarks());
  }

  private SyncResult finished(
      PlannedRun plannedRun,
      List<Outcome> outcomes,
      Map<PolicyId, PolicyDiff> changes,
      List<String> remarks) {
    var plan = plannedRun.plan();
    var said = new ArrayList<>(plannedRun.lasting().warnings(plan, outcomes));
    said.addAll(remarks);
    var how = how(Approval.Of.REMOVALS, plan.removalApproval());
    var enforcing = how(Approval.Of.ENFORCEMENT, plan.enforcementApproval().approvalState());
    plannedRun.older().ifPresent(OutcomeLog::withheldForAge);
    OutcomeLog.withheld(plan);
    how.ifPresent(approval -> OutcomeLog.withheldRemovals(plan, approval));
    enforcing.ifPresent(approval -> OutcomeLog.withheldEnforcement(plan, approval));
    return new SyncResult.Finished(
        plan,
        outcomes,
        plannedRun.feed(),
        changes,
        how,
        enforcing,
        plannedRun.impacts(),
        plannedRun.notInForce(outcomes),
        said,
        plannedRun.conversions());
  }

  private Optional<ApprovalInstructions> how(Approval.Of what, ApprovalState approvalState) {
    return approvalState instanceof ApprovalState.Missing(var list, _)
        ? Optional.of(new ApprovalInstructions(list, memory.commandToApprove(what, list)))
        : Optional.empty();
  }
}
