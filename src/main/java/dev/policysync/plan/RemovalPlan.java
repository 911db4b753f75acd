package dev.policysync.plan;

import dev.policysync.plan.Plan.Guard;
import dev.policysync.plan.Plan.Kept;
import dev.policysync.plan.Plan.Withheld;
import dev.policysync.plan.history.RemovalHistory;
import dev.policysync.plan.live.ActualPolicies;
import dev.policysync.plan.live.LivePolicy;
import dev.policysync.plan.ownership.OwnershipAnnotations;
import dev.policysync.plan.ownership.OwnershipVerdict;
import dev.policysync.plan.ownership.SourceName;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.feed.ExpectedPolicies;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// What of a cluster nobody expects any more, and what becomes of it (promises 2 to 5).
///
/// @param going what may be removed
/// @param withheld what a guard holds back: all that the feed asks to remove, or those whose
///   successor cannot be in force after this run
/// @param kept what stays for a reason of its own, although it carries our mark
/// @param approvalState whether somebody has to consent, and did
/// @param note what to remember of it for the budget
record RemovalPlan(
    List<Action.Remove> going,
    List<Withheld> withheld,
    List<Kept> kept,
    ApprovalState approvalState,
    RemovalHistory.Note note) {

  /// @param stuck expected policies that this run cannot put in force, whatever else it does
  /// @param adds whether the plan creates policies
  static RemovalPlan of(
      PlannerOptions plannerOptions,
      ExpectedPolicies expectedPolicies,
      ActualPolicies actualPolicies,
      PlanContext planContext,
      Set<PolicyId> stuck,
      boolean adds) {
    var wanted = wantedIds(expectedPolicies);
    var asked = new ArrayList<Action.Remove>();
    var kept = new ArrayList<Kept>();
    var owned = 0;
    for (var there : actualPolicies.byId().values()) {
      var ownershipVerdict = OwnershipVerdict.of(there, plannerOptions.source());
      owned += ownershipVerdict instanceof OwnershipVerdict.Ours ? 1 : 0;
      if (wanted.contains(there.id())) {
        continue;
      }
      if (there.terminating()) {
        if (ownershipVerdict instanceof OwnershipVerdict.Ours) {
          kept.add(new Kept(there.id(), "its removal waits for a finalizer"));
        }
        continue;
      }
      switch (reasonToKeep(there, ownershipVerdict)) {
        case Keep.Foreign() -> {}
        case Keep.Because(var reason) -> kept.add(new Kept(there.id(), reason));
        case Keep.No() ->
            asked.add(
                new Action.Remove(
                    there.id(), there.objectVersion(), successors(there.id(), wanted)));
      }
    }
    var history = planContext.removals();
    var certain = expectedPolicies.complete() && actualPolicies.complete();
    var guard =
        asked.isEmpty()
            ? Optional.<Guard>empty()
            : guard(
                expectedPolicies,
                actualPolicies,
                history.allows(plannerOptions.removals(), asked.size(), owned));
    var approvalState = consent(guard, asked, planContext.approval());
    var held = guard.filter(_ -> !(approvalState instanceof ApprovalState.Given));
    var going = new ArrayList<Action.Remove>();
    var withheld = new ArrayList<Withheld>();
    for (var removal : asked) {
      held.or(() -> successorGuard(removal, stuck))
          .ifPresentOrElse(
              reason -> withheld.add(withheld(removal, reason, asked.size(), history)),
              () -> going.add(removal));
    }
    return new RemovalPlan(
        List.copyOf(going),
        List.copyOf(withheld),
        List.copyOf(kept),
        approvalState,
        note(history, guard, approvalState, asked.size(), owned, certain, adds));
  }

  private static RemovalHistory.Note note(
      RemovalHistory history,
      Optional<Guard> guard,
      ApprovalState approvalState,
      int asked,
      int owned,
      boolean certain,
      boolean adds) {
    if (asked == 0) {
      var added = Optional.of(owned).filter(_ -> adds);
      return certain
          ? RemovalHistory.Note.NONE
          : new RemovalHistory.Note(
              history.ownedBefore().or(() -> added), history.withheldLately(), 0);
    }
    var known = history.known(owned);
    var before = Optional.of(known).filter(_ -> guard.isPresent() || history.pending());
    return switch (approvalState) {
      case ApprovalState.Given _ -> new RemovalHistory.Note(before, 0, 0);
      case ApprovalState.Missing _ ->
          new RemovalHistory.Note(before, Math.max(asked, history.withheldLately()), 0);
      case ApprovalState.NotNeeded _ ->
          guard.isPresent()
              ? new RemovalHistory.Note(before, history.withheldLately(), 0)
              : new RemovalHistory.Note(before, 0, known);
    };
  }

  private static Withheld withheld(
      Action.Remove removal, Guard guard, int asked, RemovalHistory history) {
    return guard == Guard.OVER_BUDGET
        ? new Withheld(removal.id(), guard, history.besides(asked))
        : new Withheld(removal.id(), guard);
  }

  /// Whether a policy that nobody expects may be removed as it is.
  static boolean removable(LivePolicy live, SourceName ours) {
    return reasonToKeep(live, OwnershipVerdict.of(live, ours)) instanceof Keep.No;
  }

  private static Keep reasonToKeep(LivePolicy live, OwnershipVerdict ownershipVerdict) {
    return switch (ownershipVerdict) {
      case OwnershipVerdict.Unowned() -> new Keep.Foreign();
      case OwnershipVerdict.Controlled() ->
          new Keep.Because("owned by another object (ownerReferences)");
      case OwnershipVerdict.Copy(var original) -> new Keep.Because("a copy of " + original);
      case OwnershipVerdict.OtherSource(var source) ->
          new Keep.Because("applied for another source, " + source);
      case OwnershipVerdict.Ours() ->
          live.annotation(OwnershipAnnotations.PRUNE).filter("disabled"::equals).isPresent()
              ? new Keep.Because("annotated with " + OwnershipAnnotations.PRUNE + ": disabled")
              : new Keep.No();
    };
  }

  /// The strongest one: what is not known to the end cannot be approved away.
  private static Optional<Guard> guard(
      ExpectedPolicies expectedPolicies, ActualPolicies actualPolicies, boolean withinBudget) {
    if (!expectedPolicies.complete()) {
      return Optional.of(Guard.FEED_INCOMPLETE);
    }
    if (!actualPolicies.complete()) {
      return Optional.of(Guard.CLUSTER_INCOMPLETE);
    }
    if (expectedPolicies.policies().isEmpty()) {
      return Optional.of(Guard.EMPTY_FEED);
    }
    return withinBudget ? Optional.empty() : Optional.of(Guard.OVER_BUDGET);
  }

  private static ApprovalState consent(
      Optional<Guard> guard, List<Action.Remove> asked, Optional<Approval> approval) {
    if (guard.filter(Guard::approvable).isEmpty()) {
      return new ApprovalState.NotNeeded();
    }
    var list = Approval.listOf(asked);
    var objection = approval.flatMap(given -> given.objection(list));
    return approval.isPresent() && objection.isEmpty()
        ? new ApprovalState.Given(approval.get())
        : new ApprovalState.Missing(list, objection);
  }

  private static Optional<Guard> successorGuard(Action.Remove removal, Set<PolicyId> stuck) {
    return Collections.disjoint(removal.successors(), stuck)
        ? Optional.empty()
        : Optional.of(Guard.SUCCESSOR_STUCK);
  }

  /// A document that cannot be read still wants the policy that it names.
  private static Set<PolicyId> wantedIds(ExpectedPolicies expectedPolicies) {
    var wanted = new HashSet<PolicyId>();
    expectedPolicies.policies().forEach(policy -> wanted.add(policy.id()));
    expectedPolicies.unreadable().forEach(document -> document.id().ifPresent(wanted::add));
    return wanted;
  }

  private static Set<PolicyId> successors(PolicyId gone, Set<PolicyId> wanted) {
    return wanted.stream()
        .filter(id -> id.name().equals(gone.name()) && id.kind() != gone.kind())
        .collect(Collectors.toSet());
  }

  private sealed interface Keep {
    record No() implements Keep {}

    record Foreign() implements Keep {}

    record Because(String reason) implements Keep {}
  }
}
