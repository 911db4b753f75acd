package dev.policysync.sync;

import dev.policysync.difference.Difference;
import dev.policysync.plan.Agreement;
import dev.policysync.plan.Approval;
import dev.policysync.plan.Consent;
import dev.policysync.policy.PolicyId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Ends a run that made a plan: tells everybody what came of it, and notes what is left to tell.
final class Conclusion {
  private final Bookkeeping books;
  private final RunMemory memory;
  private final EventSink events;
  private final StopSign stop;

  Conclusion(Bookkeeping books, RunMemory memory, EventSink events, StopSign stop) {
    this.books = books;
    this.memory = memory;
    this.events = events;
    this.stop = stop;
  }

  /// @param agreement what feed and cluster agree on now, if they do
  SyncResult of(Situation situation, List<Outcome> outcomes, Optional<Agreement> agreement) {
    var remarks = new ArrayList<>(situation.remarks());
    remarks.addAll(books.end(situation, outcomes, agreement));
    var told = PolicyEvents.of(situation.plan(), outcomes);
    // The little time that is left after the sign is the Lease's.
    if (!told.isEmpty() && stop.reason().isEmpty()) {
      events.tell(told).ifPresent(why -> remarks.add("not all Events could be written: " + why));
    }
    return finished(situation, outcomes, Map.of(), remarks);
  }

  /// Nobody is told of what would be done.
  ///
  /// @param changes what each write would change, by policy
  SyncResult ofPreview(
      Situation situation, List<Outcome> outcomes, Map<PolicyId, Difference> changes) {
    return finished(situation, outcomes, changes, situation.remarks());
  }

  private SyncResult finished(
      Situation situation,
      List<Outcome> outcomes,
      Map<PolicyId, Difference> changes,
      List<String> remarks) {
    var plan = situation.plan();
    var said = new ArrayList<>(situation.lasting().warnings(plan, outcomes));
    said.addAll(remarks);
    var how = how(Approval.Of.REMOVALS, plan.consent());
    var enforcing = how(Approval.Of.ENFORCEMENT, plan.enforcing().consent());
    situation.older().ifPresent(OutcomeLog::withheldForAge);
    OutcomeLog.withheld(plan);
    how.ifPresent(approval -> OutcomeLog.withheldRemovals(plan, approval));
    enforcing.ifPresent(approval -> OutcomeLog.withheldEnforcement(plan, approval));
    return new SyncResult.Finished(
        plan, outcomes, situation.feed(), changes, how, enforcing, situation.foreseen(), said);
  }

  private Optional<HowToApprove> how(Approval.Of what, Consent consent) {
    return consent instanceof Consent.Missing(var list, _)
        ? Optional.of(new HowToApprove(list, memory.commandToApprove(what, list)))
        : Optional.empty();
  }
}
