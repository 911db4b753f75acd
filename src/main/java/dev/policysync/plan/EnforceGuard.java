package dev.policysync.plan;

import dev.policysync.plan.Plan.Withheld;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.feed.ApprovedFeed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What to do about writes after which a policy may block more than before.
///
/// @param mode whether to look at them, and whether to hold them back
/// @param threshold how many existing workloads one has to block to be held back, at least 1
public record EnforceGuard(Mode mode, int threshold) {
  /// Nothing.
  public static final EnforceGuard OFF = new EnforceGuard(Mode.OFF, 1);

  /// What it does.
  public enum Mode {
    /// It does not even look.
    OFF,
    /// It says what will happen.
    WARN,
    /// It holds them back until somebody consents.
    HOLD
  }

  public EnforceGuard {
    if (threshold < 1) {
      throw new IllegalArgumentException("a threshold of " + threshold + " workloads");
    }
  }

  /// The plan without the writes that this guard holds back. What nobody knows is held back as
  /// well: whoever asked for that wants to be asked, and not woken.
  ///
  /// @param tightenings of the plan's actions
  /// @param approval to a list of them
  /// @param approvedFeed to all of them, where they are asked for by an approved feed
  public Plan guard(
      Plan plan,
      List<StricterChange> tightenings,
      Optional<Approval> approval,
      Optional<ApprovedFeed> approvedFeed) {
    var reasons = new HashMap<PolicyId, String>();
    for (var stricterChange : tightenings) {
      if (mode == Mode.HOLD && holds(stricterChange.affectedWorkloads())) {
        reasons.put(stricterChange.id(), stricterChange.because());
      }
    }
    var held = plan.actions().stream().filter(action -> reasons.containsKey(action.id())).toList();
    if (held.isEmpty()) {
      return approval
          .filter(_ -> mode == Mode.HOLD && isCertain(plan))
          .map(ended ->
              with(plan, new EnforcementApproval(new ApprovalState.Ended(ended), Set.of())))
          .orElse(plan);
    }
    var list = Approval.enforcing(held);
    var given =
        approvedFeed
            .<ApprovalState>map(ApprovalState.GivenToFeed::new)
            .or(() ->
                approval.filter(it -> it.objection(list).isEmpty()).map(ApprovalState.Given::new));
    if (given.isPresent()) {
      return with(plan, new EnforcementApproval(given.get(), new HashSet<>(reasons.keySet())));
    }
    var withheld = new ArrayList<Withheld>();
    held.forEach(action ->
        withheld.add(
            new Withheld(action.id(), Guard.ENFORCEMENT, reasons.getOrDefault(action.id(), ""))));
    return with(
        plan.withholding(withheld),
        new EnforcementApproval(new ApprovalState.Missing(list, approval), Set.of()));
  }

  /// Whether the plan has all writes that the feed asks for, for this guard to judge.
  private static boolean isCertain(Plan plan) {
    return plan.rejected().isEmpty()
        && plan.unlistable().isEmpty()
        && plan.withheld().stream().allMatch(withheld -> withheld.guard().onRemovals());
  }

  private static Plan with(Plan plan, EnforcementApproval enforcementApproval) {
    return PlanDraft.of(plan).enforcementApproval(enforcementApproval).plan();
  }

  private boolean holds(StricterChange.AffectedWorkloads affectedWorkloads) {
    return switch (affectedWorkloads) {
      case StricterChange.AffectedWorkloads.Exactly(var workloads) -> workloads >= threshold;
      case StricterChange.AffectedWorkloads.AtLeast _, StricterChange.AffectedWorkloads.Unknown _ ->
          true;
      case StricterChange.AffectedWorkloads.NothingReportedEver _ -> false;
    };
  }
}
