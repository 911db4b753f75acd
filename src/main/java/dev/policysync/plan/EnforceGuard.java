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

/// The guard that withholds stricter policies.
///
/// @param mode whether to check such writes, and whether to withhold them
/// @param threshold the number of existing workloads that a write must block to be withheld, at
///   least 1
public record EnforceGuard(Mode mode, int threshold) {
  public static final EnforceGuard OFF = new EnforceGuard(Mode.OFF, 1);

  public enum Mode {
    OFF,
    WARN,
    HOLD
  }

  public EnforceGuard {
    if (threshold < 1) {
      throw new IllegalArgumentException("a threshold of " + threshold + " workloads");
    }
  }

  /// Returns the plan without the writes that this guard withholds. A write with an unknown effect
  /// is withheld, too: [Mode#HOLD] means that a person wants to decide first.
  ///
  /// @param tightenings the plan's actions that make a policy stricter
  /// @param approval an approval of a list of such actions
  /// @param approvedFeed an approval of all such actions that this feed requests
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

  /// Returns whether the plan has every write that the feed requests, so that this guard has
  /// evaluated all of them.
  private static boolean isCertain(Plan plan) {
    return plan.problems().rejected().isEmpty()
        && plan.problems().unlistable().isEmpty()
        && plan.pending().withheld().stream().allMatch(withheld -> withheld.guard().onRemovals());
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
