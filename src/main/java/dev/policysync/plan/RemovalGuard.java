package dev.policysync.plan;

import dev.policysync.plan.Plan.Withheld;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.feed.ApprovedFeed;
import dev.policysync.policy.feed.ExpectedPolicies;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Decides which removals are allowed: none while a part of the feed or the cluster is unknown
/// (promise 3), no more than the budget of a day unless a person approves exactly these (promise
/// 4), and none if a successor cannot be in force after this run (promise 5).
final class RemovalGuard {
  private final RemovalBudget budget;
  private final RemovalHistory history;
  private final Optional<Approval> approval;
  private final Optional<ApprovedFeed> approvedFeed;

  RemovalGuard(RemovalBudget budget, PlanContext planContext) {
    this.budget = budget;
    this.history = planContext.removals();
    this.approval = planContext.approval();
    this.approvedFeed = planContext.approvedFeed();
  }

  /// Returns the plan with the removals, allowed or withheld.
  ///
  /// @param writes the plan of writes
  Plan guard(
      Plan writes,
      RemovalCandidates found,
      ExpectedPolicies expectedPolicies,
      ActualPolicies actualPolicies) {
    // With a budget of zero, the removals of replaced policies count, too: the agent may lack the
    // permission to remove.
    var candidates = budget.allows(1, found.owned()) ? found : found.countingReplaced();
    var asked = candidates.requested();
    var open = asked.stream().filter(removal -> !history.approved(removal.was().uid())).toList();
    var guard =
        open.isEmpty()
            ? Optional.<Guard>empty()
            : guard(candidates, counted(open, writes), expectedPolicies, actualPolicies);
    var certain = expectedPolicies.complete() && actualPolicies.complete();
    var approvalState =
        approvalState(
            guard,
            open,
            certain
                && candidates.withheld().isEmpty()
                && expectedKindsAreServed(expectedPolicies, actualPolicies));
    var held = guard.filter(_ -> !approvalState.given());
    var stuck = stuck(writes);
    var going = new ArrayList<Action.Remove>();
    var withheld = new ArrayList<Withheld>();
    for (var removal : asked) {
      (open.contains(removal) ? held : unknown(expectedPolicies, actualPolicies))
          .or(() -> successorGuard(removal, stuck))
          .ifPresentOrElse(
              reason ->
                  withheld.add(
                      withheld(removal, reason, counted(open, writes), candidates.owned())),
              () -> going.add(removal));
    }
    for (var removal : candidates.replaced()) {
      unknown(expectedPolicies, actualPolicies)
          .or(() -> successorGuard(removal, stuck))
          .ifPresentOrElse(
              reason -> withheld.add(new Withheld(removal.id(), reason)), () -> going.add(removal));
    }
    var counted = counted(open, writes);
    var note =
        asked.isEmpty()
            ? noteOfNone(certain && candidates.withheld().isEmpty(), candidates.owned(), writes)
            : note(guard, approvalState, counted, candidates.owned());
    return PlanDraft.of(writes)
        .actions(going)
        .withhold(withheld)
        .withhold(candidates.withheld())
        .keep(candidates.kept())
        .ignored(candidates.ignored())
        .terminating(candidates.terminating())
        .removalApproval(approvalState)
        .note(note)
        .plan();
  }

  /// Returns the strongest guard: an approval does not override an incomplete feed or cluster.
  private Optional<Guard> guard(
      RemovalCandidates candidates,
      int counted,
      ExpectedPolicies expectedPolicies,
      ActualPolicies actualPolicies) {
    var unknown = unknown(expectedPolicies, actualPolicies);
    if (unknown.isPresent()) {
      return unknown;
    }
    if (expectedPolicies.policies().isEmpty()) {
      return Optional.of(Guard.EMPTY_FEED);
    }
    if (history.completeFrom().isPresent()) {
      return Optional.of(Guard.STATE_UNREADABLE);
    }
    return history.allows(budget, counted, candidates.owned())
        ? Optional.empty()
        : Optional.of(Guard.OVER_BUDGET);
  }

  private static Optional<Guard> unknown(
      ExpectedPolicies expectedPolicies, ActualPolicies actualPolicies) {
    if (!expectedPolicies.complete()) {
      return Optional.of(Guard.FEED_INCOMPLETE);
    }
    return actualPolicies.complete() ? Optional.empty() : Optional.of(Guard.CLUSTER_INCOMPLETE);
  }

  /// Returns whether each kind that the feed expects is served. An API server that has just started
  /// may serve none of them, and then the requested removals are unknown.
  private static boolean expectedKindsAreServed(
      ExpectedPolicies expectedPolicies, ActualPolicies actualPolicies) {
    return expectedPolicies.policies().stream()
        .map(policy -> actualPolicies.kinds().get(policy.id().kind()))
        .noneMatch(Listing.Absent.class::isInstance);
  }

  /// Returns the number of policies of the feed that the removals affect. Several successors of one
  /// policy count once.
  private static int counted(List<Action.Remove> removals, Plan plan) {
    return (int) removals.stream().map(removal -> plan.ofFeed(removal.id())).distinct().count();
  }

  /// @param open removals that no earlier approval covers
  /// @param certain whether all requested removals are known
  private ApprovalState approvalState(
      Optional<Guard> guard, List<Action.Remove> open, boolean certain) {
    if (guard.filter(Guard::approvable).isEmpty()) {
      return approval
          .filter(_ -> certain)
          .<ApprovalState>map(ApprovalState.Ended::new)
          .orElseGet(ApprovalState.NotNeeded::new);
    }
    if (approvedFeed.isPresent()) {
      return new ApprovalState.GivenToFeed(approvedFeed.get());
    }
    var list = Approval.listOf(open);
    return approval
        .filter(given -> given.objection(list).isEmpty())
        .<ApprovalState>map(ApprovalState.Given::new)
        .orElseGet(() -> new ApprovalState.Missing(list, approval));
  }

  /// Returns the expected policies that cannot be in force after this run.
  private static Set<PolicyId> stuck(Plan writes) {
    var stuck = new HashSet<PolicyId>();
    writes.problems().conflicts().forEach(conflict -> stuck.add(conflict.id()));
    writes.problems().rejected().forEach(rejected -> rejected.id().ifPresent(stuck::add));
    return stuck;
  }

  private static Optional<Guard> successorGuard(Action.Remove removal, Set<PolicyId> stuck) {
    return Collections.disjoint(removal.successors(), stuck)
        ? Optional.empty()
        : Optional.of(Guard.SUCCESSOR_STUCK);
  }

  private Withheld withheld(Action.Remove removal, Guard guard, int asked, int owned) {
    var detail = "";
    if (guard == Guard.OVER_BUDGET) {
      detail = history.explain(budget, asked, owned);
    } else if (guard == Guard.STATE_UNREADABLE) {
      detail = history.completeFrom().map(RemovalGuard::waiting).orElse("");
    }
    return new Withheld(removal.id(), guard, detail);
  }

  private static String waiting(Instant until) {
    return "removals wait until " + until + ", or for an approval";
  }

  private RemovalHistory.Note noteOfNone(boolean certain, int owned, Plan writes) {
    if (certain) {
      return RemovalHistory.Note.NONE;
    }
    var adds = writes.actions().stream().anyMatch(Action.Create.class::isInstance);
    var before = adds ? Optional.of(history.countedOwned(owned)) : history.ownedBefore();
    return new RemovalHistory.Note(before, history.withheldLately(), 0);
  }

  private RemovalHistory.Note note(
      Optional<Guard> guard, ApprovalState approvalState, int asked, int owned) {
    var known = history.countedOwned(owned);
    var before = Optional.of(known).filter(_ -> guard.isPresent() || history.pending());
    return switch (approvalState) {
      case ApprovalState.Given _, ApprovalState.GivenToFeed _ ->
          new RemovalHistory.Note(before, 0, 0);
      case ApprovalState.Missing _ ->
          new RemovalHistory.Note(before, Math.max(asked, history.withheldLately()), 0);
      case ApprovalState.NotNeeded _, ApprovalState.Ended _ ->
          guard.isPresent()
              ? new RemovalHistory.Note(before, history.withheldLately(), 0)
              : new RemovalHistory.Note(before, 0, known);
    };
  }
}
