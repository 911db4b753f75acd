package dev.policysync.plan;

import dev.policysync.plan.Plan.Guard;
import dev.policysync.plan.Plan.Kept;
import dev.policysync.plan.Plan.Withheld;
import dev.policysync.policy.Expected;
import dev.policysync.policy.PolicyId;
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
/// @param consent whether somebody has to consent, and did
/// @param note what to remember of it for the budget
record Removals(
    List<Action.Remove> going,
    List<Withheld> withheld,
    List<Kept> kept,
    Consent consent,
    RemovalHistory.Note note) {

  /// @param stuck expected policies that this run cannot put in force, whatever else it does
  /// @param adds whether the plan creates policies
  static Removals of(
      Rules rules,
      Expected expected,
      Actual actual,
      Circumstances circumstances,
      Set<PolicyId> stuck,
      boolean adds) {
    var wanted = wantedIds(expected);
    var asked = new ArrayList<Action.Remove>();
    var kept = new ArrayList<Kept>();
    var owned = 0;
    for (var there : actual.byId().values()) {
      var claim = Claim.of(there, rules.source());
      owned += claim instanceof Claim.Ours ? 1 : 0;
      if (wanted.contains(there.id())) {
        continue;
      }
      if (there.terminating()) {
        if (claim instanceof Claim.Ours) {
          kept.add(new Kept(there.id(), "its removal waits for a finalizer"));
        }
        continue;
      }
      switch (reasonToKeep(there, claim)) {
        case Keep.Foreign() -> {}
        case Keep.Because(var reason) -> kept.add(new Kept(there.id(), reason));
        case Keep.No() ->
            asked.add(
                new Action.Remove(there.id(), there.version(), successors(there.id(), wanted)));
      }
    }
    var history = circumstances.removals();
    var certain = expected.complete() && actual.complete();
    var guard =
        asked.isEmpty()
            ? Optional.<Guard>empty()
            : guard(expected, actual, history.allows(rules.removals(), asked.size(), owned));
    var consent = consent(guard, asked, circumstances.approval());
    var held = guard.filter(_ -> !(consent instanceof Consent.Given));
    var going = new ArrayList<Action.Remove>();
    var withheld = new ArrayList<Withheld>();
    for (var removal : asked) {
      held.or(() -> successorGuard(removal, stuck))
          .ifPresentOrElse(
              reason -> withheld.add(withheld(removal, reason, asked.size(), history)),
              () -> going.add(removal));
    }
    return new Removals(
        List.copyOf(going),
        List.copyOf(withheld),
        List.copyOf(kept),
        consent,
        note(history, guard, consent, asked.size(), owned, certain, adds));
  }

  private static RemovalHistory.Note note(
      RemovalHistory history,
      Optional<Guard> guard,
      Consent consent,
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
    return switch (consent) {
      case Consent.Given _ -> new RemovalHistory.Note(before, 0, 0);
      case Consent.Missing _ ->
          new RemovalHistory.Note(before, Math.max(asked, history.withheldLately()), 0);
      case Consent.NotNeeded _ ->
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
    return reasonToKeep(live, Claim.of(live, ours)) instanceof Keep.No;
  }

  private static Keep reasonToKeep(LivePolicy live, Claim claim) {
    return switch (claim) {
      case Claim.Unowned() -> new Keep.Foreign();
      case Claim.Controlled() -> new Keep.Because("owned by another object (ownerReferences)");
      case Claim.Copy(var original) -> new Keep.Because("a copy of " + original);
      case Claim.OtherSource(var source) ->
          new Keep.Because("applied for another source, " + source);
      case Claim.Ours() ->
          live.annotation(Marks.PRUNE).filter("disabled"::equals).isPresent()
              ? new Keep.Because("annotated with " + Marks.PRUNE + ": disabled")
              : new Keep.No();
    };
  }

  /// The strongest one: what is not known to the end cannot be approved away.
  private static Optional<Guard> guard(Expected expected, Actual actual, boolean withinBudget) {
    if (!expected.complete()) {
      return Optional.of(Guard.FEED_INCOMPLETE);
    }
    if (!actual.complete()) {
      return Optional.of(Guard.CLUSTER_INCOMPLETE);
    }
    if (expected.policies().isEmpty()) {
      return Optional.of(Guard.EMPTY_FEED);
    }
    return withinBudget ? Optional.empty() : Optional.of(Guard.OVER_BUDGET);
  }

  private static Consent consent(
      Optional<Guard> guard, List<Action.Remove> asked, Optional<Approval> approval) {
    if (guard.filter(Guard::approvable).isEmpty()) {
      return new Consent.NotNeeded();
    }
    var list = Approval.listOf(asked);
    var objection = approval.flatMap(given -> given.objection(list));
    return approval.isPresent() && objection.isEmpty()
        ? new Consent.Given(approval.get())
        : new Consent.Missing(list, objection);
  }

  private static Optional<Guard> successorGuard(Action.Remove removal, Set<PolicyId> stuck) {
    return Collections.disjoint(removal.successors(), stuck)
        ? Optional.empty()
        : Optional.of(Guard.SUCCESSOR_STUCK);
  }

  /// A document that cannot be read still wants the policy that it names.
  private static Set<PolicyId> wantedIds(Expected expected) {
    var wanted = new HashSet<PolicyId>();
    expected.policies().forEach(policy -> wanted.add(policy.id()));
    expected.unreadable().forEach(document -> document.id().ifPresent(wanted::add));
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
