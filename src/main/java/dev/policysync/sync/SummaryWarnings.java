package dev.policysync.sync;

import dev.policysync.plan.ApprovalState;
import dev.policysync.plan.Plan;
import dev.policysync.sync.SyncResult.Finished;
import dev.policysync.sync.execution.Outcome;
import dev.policysync.sync.execution.WarningGroups;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The warnings of a run, one line each. Equal warnings about several policies share a line.
final class SummaryWarnings {
  private static final String AFTER_THE_WRITES =
      "the run was stopped by a signal after all writes were done; the next run sends the"
          + " remaining notifications";

  private SummaryWarnings() {}

  static List<String> ofOneThatHadNothingLeft(Finished run) {
    var warnings = new ArrayList<>(of(run));
    warnings.add(AFTER_THE_WRITES);
    return warnings;
  }

  static List<String> of(Finished run) {
    var plan = run.plan();
    var warnings = new ArrayList<>(serverWarnings(run));
    var stays = new WarningGroups(" is kept: ", " are kept: ");
    plan.retained().kept().forEach(kept -> stays.add(kept.id(), kept.reason()));
    warnings.addAll(stays.lines());
    var fought = new WarningGroups(": ", ": ");
    plan.problems()
        .managerConflicts()
        .forEach(managerConflict -> fought.add(managerConflict.id(), text(managerConflict)));
    warnings.addAll(fought.lines());
    warnings.addAll(tightenings(run));
    for (var approvalState :
        List.of(plan.approvals().removals(), plan.approvals().enforcement().approvalState())) {
      if (approvalState instanceof ApprovalState.Missing missing) {
        missing.objection().ifPresent(warnings::add);
      } else if (approvalState instanceof ApprovalState.Ended(var approval)) {
        warnings.add(approval.of() + " has ended: the changes it was given for are not requested");
      }
    }
    warnings.addAll(run.remarks());
    return warnings;
  }

  private static List<String> serverWarnings(Finished run) {
    var said = new WarningGroups(": ", ": ");
    for (var outcome : run.outcomes()) {
      if (outcome instanceof Outcome.Done(var action, var warnings)) {
        warnings.forEach(warning -> said.add(action.id(), warning));
      }
    }
    return said.lines();
  }

  private static String text(Plan.ManagerConflict managerConflict) {
    var who =
        managerConflict.by().isEmpty()
            ? "an unknown manager (no entry in managedFields)"
            : String.join(", ", managerConflict.by());
    return "repaired "
        + managerConflict.times()
        + " times in a row, because "
        + who
        + " keeps modifying it; let only one of them manage the policy";
  }

  /// Returns warnings about policies that block more requests now, unless reports show that no
  /// workload is affected. Policies that were not written are left out.
  private static List<String> tightenings(Finished run) {
    var certain = new WarningGroups(" blocks more requests: ", " block more requests: ");
    var possible = new WarningGroups(" may block more requests: ", " may block more requests: ");
    var unwritten =
        Stream.of(
                run.plan().pending().withheld().stream().map(Plan.Withheld::id),
                run.plan().pending().waiting().stream().map(Plan.Waiting::id),
                run.plan().retained().kept().stream().map(Plan.Kept::id))
            .flatMap(ids -> ids)
            .collect(Collectors.toSet());
    for (var outcome : run.outcomes()) {
      if (outcome instanceof Outcome.NotAttempted || outcome instanceof Outcome.Dropped) {
        unwritten.add(outcome.action().id());
      }
    }
    for (var writeImpact : run.impacts()) {
      var id = writeImpact.impact().policy();
      if (!unwritten.contains(id) && writeImpact.worrying()) {
        (writeImpact.impact().tightens() ? certain : possible).add(id, writeImpact.because());
      }
    }
    return Stream.of(certain, possible).flatMap(group -> group.lines().stream()).toList();
  }
}
