package dev.policysync.plan;

import dev.policysync.plan.Plan.Conflict;
import dev.policysync.plan.Plan.Ignored;
import dev.policysync.plan.Plan.Kept;
import dev.policysync.plan.Plan.ManagerConflict;
import dev.policysync.plan.Plan.Rejected;
import dev.policysync.plan.Plan.Terminating;
import dev.policysync.plan.Plan.Unlistable;
import dev.policysync.plan.Plan.Waiting;
import dev.policysync.plan.Plan.Withheld;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.Succession;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Builds a plan. A part that is not set is empty, and needs no approval.
public final class PlanDraft {
  private final List<Action> actions = new ArrayList<>();
  private final List<PolicyId> unchanged = new ArrayList<>();
  private final List<Rejected> rejected = new ArrayList<>();
  private final List<Conflict> conflicts = new ArrayList<>();
  private final List<Withheld> withheld = new ArrayList<>();
  private final List<Waiting> waiting = new ArrayList<>();
  private final List<Kept> kept = new ArrayList<>();
  private final List<Ignored> ignored = new ArrayList<>();
  private final List<Terminating> terminating = new ArrayList<>();
  private final List<Unlistable> unlistable = new ArrayList<>();
  private final List<ManagerConflict> managerConflicts = new ArrayList<>();
  private ApprovalState removalApproval = new ApprovalState.NotNeeded();
  private RemovalHistory.Note note = RemovalHistory.Note.NONE;
  private EnforcementApproval enforcementApproval = EnforcementApproval.NONE;
  private DependencyOrder dependencies = DependencyOrder.NONE;
  private Map<PolicyId, Succession> successions = Map.of();

  /// Returns a draft with the contents of the plan.
  public static PlanDraft of(Plan plan) {
    return new PlanDraft()
        .actions(plan.actions())
        .unchanged(plan.unchanged())
        .rejected(plan.problems().rejected())
        .conflicts(plan.problems().conflicts())
        .withhold(plan.pending().withheld())
        .postpone(plan.pending().waiting())
        .keep(plan.retained().kept())
        .ignored(plan.retained().ignored())
        .terminating(plan.retained().terminating())
        .unlistable(plan.problems().unlistable())
        .managerConflicts(plan.problems().managerConflicts())
        .removalApproval(plan.approvals().removals())
        .note(plan.note())
        .enforcementApproval(plan.approvals().enforcement())
        .dependencies(plan.dependencies())
        .successions(plan.successions());
  }

  /// Adds the decision about one expected policy.
  PlanDraft add(PolicyDecision policyDecision) {
    switch (policyDecision) {
      case PolicyDecision.Act(var action) -> actions.add(action);
      case PolicyDecision.InSync(var id) -> unchanged.add(id);
      case PolicyDecision.Clash(var conflict) -> conflicts.add(conflict);
      case PolicyDecision.Ignore(var left) -> ignored.add(left);
      case PolicyDecision.Reject(var policy, var failure) ->
          rejected.add(Rejected.of(policy, failure));
    }
    return this;
  }

  public PlanDraft actions(Collection<? extends Action> more) {
    actions.addAll(more);
    return this;
  }

  public PlanDraft unchanged(Collection<PolicyId> more) {
    unchanged.addAll(more);
    return this;
  }

  public PlanDraft rejected(Collection<Rejected> more) {
    rejected.addAll(more);
    return this;
  }

  public PlanDraft conflicts(Collection<Conflict> more) {
    conflicts.addAll(more);
    return this;
  }

  /// Withholds the actions for these policies, for the reasons of a guard.
  public PlanDraft withhold(Collection<Withheld> more) {
    withheld.addAll(more);
    return without(more.stream().map(Withheld::id).collect(Collectors.toSet()));
  }

  /// Records that a guard withholds the replacement of these policies. Other actions for them stay
  /// in the plan.
  PlanDraft withholdReplacement(Collection<Withheld> more) {
    withheld.addAll(more);
    return this;
  }

  /// Moves these actions to a later run.
  public PlanDraft postpone(Collection<Waiting> more) {
    waiting.addAll(more);
    return without(more.stream().map(Waiting::id).collect(Collectors.toSet()));
  }

  /// Keeps these policies unchanged, each for its own reason.
  public PlanDraft keep(Collection<Kept> more) {
    kept.addAll(more);
    return without(more.stream().map(Kept::id).collect(Collectors.toSet()));
  }

  private PlanDraft without(Set<PolicyId> ids) {
    actions.removeIf(action -> ids.contains(action.id()));
    managerConflicts.removeIf(managerConflict -> ids.contains(managerConflict.id()));
    return this;
  }

  public PlanDraft ignored(Collection<Ignored> more) {
    ignored.addAll(more);
    return this;
  }

  public PlanDraft terminating(Collection<Terminating> more) {
    terminating.addAll(more);
    return this;
  }

  public PlanDraft unlistable(Collection<Unlistable> more) {
    unlistable.addAll(more);
    return this;
  }

  public PlanDraft managerConflicts(Collection<ManagerConflict> more) {
    managerConflicts.addAll(more);
    return this;
  }

  public PlanDraft removalApproval(ApprovalState approvalState) {
    removalApproval = approvalState;
    return this;
  }

  public PlanDraft note(RemovalHistory.Note left) {
    note = left;
    return this;
  }

  public PlanDraft enforcementApproval(EnforcementApproval said) {
    enforcementApproval = said;
    return this;
  }

  public PlanDraft dependencies(DependencyOrder dependencyOrder) {
    dependencies = dependencyOrder;
    return this;
  }

  public PlanDraft successions(Map<PolicyId, Succession> known) {
    successions = known;
    return this;
  }

  public Plan plan() {
    return new Plan(
        actions,
        unchanged,
        new Plan.Problems(rejected, conflicts, unlistable, managerConflicts),
        new Plan.Pending(withheld, waiting),
        new Plan.Retained(kept, ignored, terminating),
        new Plan.Approvals(removalApproval, enforcementApproval),
        note,
        dependencies,
        successions);
  }
}
