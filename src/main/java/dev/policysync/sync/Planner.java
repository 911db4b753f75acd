package dev.policysync.sync;

import static java.util.stream.Collectors.joining;

import dev.policysync.ownership.FieldOwnership;
import dev.policysync.policy.Expected;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.Position;
import dev.policysync.policy.Unreadable;
import dev.policysync.sync.Plan.Conflict;
import dev.policysync.sync.Plan.Fight;
import dev.policysync.sync.Plan.Guard;
import dev.policysync.sync.Plan.Kept;
import dev.policysync.sync.Plan.Rejected;
import dev.policysync.sync.Plan.Unlistable;
import dev.policysync.sync.Plan.Withheld;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// From what is expected and what is there to a plan. Pure and total: no clock, no log, no I/O, and
/// an answer for every input.
final class Planner {
  /// One repair may follow a mistake, a second one somebody's second try.
  private static final int REPAIRS_BEFORE_A_FIGHT = 2;

  private final Rules rules;

  Planner(Rules rules) {
    this.rules = rules;
  }

  /// The plan that makes `actual` equal to `expected`, within the rules.
  Plan plan(Expected expected, Actual actual, Circumstances circumstances) {
    var draft = new Draft();
    var live = byId(actual);
    for (var policy : expected.policies()) {
      judge(policy, actual, live, circumstances.identical()).addTo(draft);
    }
    draft.fights.addAll(fights(draft.actions, circumstances.memory()));
    for (var unreadable : expected.unreadable()) {
      var failure = new Failure(Failure.Cause.UNREADABLE, reason(unreadable));
      draft.rejected.add(
          new Rejected(unreadable.label(), unreadable.name(), unreadable.id(), failure));
    }
    for (var kind : PolicyKind.all()) {
      if (actual.of(kind) instanceof Listing.Unlistable(var failure)) {
        draft.unlistable.add(new Unlistable(kind.label(), failure));
      }
    }
    addRemovals(draft, expected, live, circumstances);
    return draft.plan();
  }

  /// Takeovers that depend on whether they would change anything but our marks, which only the API
  /// server can tell: [Adoption#IDENTICAL].
  List<Action.Update> adoptions(Expected expected, Actual actual) {
    if (rules.adoption() != Adoption.IDENTICAL) {
      return List.of();
    }
    var live = byId(actual);
    var everything = new HashSet<PolicyId>();
    expected.policies().forEach(policy -> everything.add(policy.id()));
    var undecided = new ArrayList<Action.Update>();
    for (var policy : expected.policies()) {
      if (judge(policy, actual, live, Set.of()) instanceof Verdict.Clash
          && judge(policy, actual, live, everything)
              instanceof Verdict.Act(Action.Update adoption)) {
        undecided.add(adoption);
      }
    }
    return List.copyOf(undecided);
  }

  private static List<Fight> fights(List<Action> actions, Memory memory) {
    var fights = new ArrayList<Fight>();
    for (var action : actions) {
      if (action instanceof Action.Update(var desired, _, var cause, var by)
          && cause == Action.Cause.DRIFTED
          && memory.timesRepaired(desired.id(), by) >= REPAIRS_BEFORE_A_FIGHT) {
        fights.add(new Fight(desired.id(), by, memory.timesRepaired(desired.id(), by) + 1));
      }
    }
    return fights;
  }

  /// Where a document names its policy, the message still has to say where it stands.
  private static String reason(Unreadable document) {
    var places = document.positions().stream().map(Position::toString).collect(joining("; "));
    return document.id().isEmpty() ? document.reason() : document.reason() + " (" + places + ")";
  }

  private Verdict judge(
      Policy policy, Actual actual, Map<PolicyId, LivePolicy> live, Set<PolicyId> identical) {
    return switch (actual.of(policy.id().kind())) {
      case Listing.Absent(var reason) ->
          new Verdict.Reject(policy.id(), new Failure(Failure.Cause.KIND_ABSENT, reason));
      case Listing.Unlistable(var failure) -> new Verdict.Reject(policy.id(), failure);
      case Listing.Listed(var version, _) ->
          judge(
              Desired.of(policy, version, rules.source()),
              Optional.ofNullable(live.get(policy.id())),
              identical.contains(policy.id()));
    };
  }

  /// What to do about one policy, given the object that has its name now. One that is not ours has
  /// changed since it was found to be identical, and so counts as different.
  Verdict judge(Desired desired, Optional<LivePolicy> live) {
    return judge(desired, live, false);
  }

  private Verdict judge(Desired desired, Optional<LivePolicy> live, boolean identical) {
    var id = desired.id();
    if (live.isEmpty()) {
      return new Verdict.Act(new Action.Create(desired));
    }
    var there = live.get();
    if (there.terminating()) {
      return new Verdict.Reject(
          id,
          new Failure(
              Failure.Cause.TERMINATING,
              "it is being deleted and waits for a finalizer; it is applied again once it is gone"));
    }
    // What another object made is never taken over, whether it carries our mark or not.
    var claim = there.controlled() ? new Claim.Controlled() : Claim.of(there, rules.source());
    return switch (claim) {
      case Claim.Ours() -> judgeOurs(desired, there);
      case Claim.Unowned() ->
          adopt(desired, there, identical, "an object of that name exists and is not ours");
      case Claim.Copy(var original) ->
          adopt(desired, there, identical, "the object of that name is a copy of " + original);
      // Two clusters' policies may well be identical; that does not make theirs ours.
      case Claim.OtherSource(var source) ->
          adopt(desired, there, false, "it was applied for another source, " + source);
      case Claim.Controlled() ->
          new Verdict.Clash(
              new Conflict(id, "another object owns the object of that name (ownerReferences)"));
    };
  }

  private static Verdict judgeOurs(Desired desired, LivePolicy live) {
    var ownership = live.ownership();
    var signed = live.annotation(Marks.APPLIED);
    if (signed.isEmpty() && !ownership.applied()) {
      return new Verdict.Act(new Action.Update(desired, live.version(), Action.Cause.ADOPTED));
    }
    if (signed.isPresent() && !signed.get().equals(desired.signature())) {
      return new Verdict.Act(new Action.Update(desired, live.version(), Action.Cause.CHANGED));
    }
    if (signed.isPresent() && inForce(ownership, desired)) {
      return new Verdict.InSync(desired.id());
    }
    var by = Set.copyOf(ownership.takers(desired.manifest()));
    return new Verdict.Act(new Action.Update(desired, live.version(), Action.Cause.DRIFTED, by));
  }

  private static boolean inForce(FieldOwnership ownership, Desired desired) {
    return ownership.matches(desired.manifest()) && ownership.intruders().isEmpty();
  }

  private Verdict adopt(Desired desired, LivePolicy live, boolean identical, String reason) {
    var adopted =
        switch (rules.adoption()) {
          case ALWAYS -> true;
          case IDENTICAL -> identical;
          case NEVER -> false;
        };
    return adopted
        ? new Verdict.Act(new Action.Update(desired, live.version(), Action.Cause.ADOPTED))
        : new Verdict.Clash(new Conflict(desired.id(), reason + "; ADOPT=always takes it over"));
  }

  private void addRemovals(
      Draft draft, Expected expected, Map<PolicyId, LivePolicy> live, Circumstances circumstances) {
    var wanted = wantedIds(expected);
    var removals = new ArrayList<Action.Remove>();
    var owned = 0;
    for (var there : live.values()) {
      var claim = Claim.of(there, rules.source());
      owned += claim instanceof Claim.Ours ? 1 : 0;
      if (wanted.contains(there.id()) || there.terminating()) {
        continue;
      }
      switch (reasonToKeep(there, claim)) {
        case Keep.Foreign() -> {}
        case Keep.Because(var reason) -> draft.kept.add(new Kept(there.id(), reason));
        case Keep.No() ->
            removals.add(
                new Action.Remove(there.id(), there.version(), successors(there.id(), wanted)));
      }
    }
    var remembered = circumstances.memory().ownedBefore();
    var measure = Math.min(owned, remembered.orElse(owned));
    var guard = guard(expected, draft, removals.size(), measure);
    draft.consent = consent(guard, removals, circumstances.approval());
    var held = guard.filter(_ -> !(draft.consent instanceof Consent.Given));
    var stuck = draft.stuck();
    for (var removal : removals) {
      if (held.isPresent()) {
        draft.withheld.add(new Withheld(removal.id(), held.get()));
      } else if (Collections.disjoint(removal.successors(), stuck)) {
        draft.actions.add(removal);
      } else {
        draft.withheld.add(new Withheld(removal.id(), Guard.SUCCESSOR_STUCK));
      }
    }
    draft.ownedBefore = toRemember(draft, expected, guard.isPresent(), remembered, measure);
  }

  private static Consent consent(
      Optional<Guard> guard, List<Action.Remove> removals, Optional<Approval> approval) {
    if (guard.filter(Guard::approvable).isEmpty()) {
      return new Consent.NotNeeded();
    }
    var list = Approval.listOf(removals);
    var objection = approval.flatMap(given -> given.objection(list));
    return approval.isPresent() && objection.isEmpty()
        ? new Consent.Given(approval.get())
        : new Consent.Missing(list, objection);
  }

  /// The budget's measure stays what it was when removals were withheld for the first time, until
  /// none are pending and it is certain that none are.
  private static Optional<Integer> toRemember(
      Draft draft, Expected expected, boolean guarded, Optional<Integer> remembered, int measure) {
    if (draft.pendingRemovals() == 0) {
      var certain = expected.complete() && draft.unlistable.isEmpty();
      return certain ? Optional.empty() : remembered;
    }
    return guarded || remembered.isPresent() ? Optional.of(measure) : Optional.empty();
  }

  /// Whether a policy that nobody expects may still be removed as it is now.
  boolean removable(LivePolicy live) {
    return reasonToKeep(live, Claim.of(live, rules.source())) instanceof Keep.No;
  }

  private static Keep reasonToKeep(LivePolicy live, Claim claim) {
    return switch (claim) {
      case Claim.Unowned() -> new Keep.Foreign();
      case Claim.Controlled() -> new Keep.Because("another object owns it (ownerReferences)");
      case Claim.Copy(var original) -> new Keep.Because("it is a copy of " + original);
      case Claim.OtherSource(var source) ->
          new Keep.Because("it was applied for another source, " + source);
      case Claim.Ours() ->
          live.annotation(Marks.PRUNE).filter("disabled"::equals).isPresent()
              ? new Keep.Because("its annotation " + Marks.PRUNE + " is disabled")
              : new Keep.No();
    };
  }

  private Optional<Guard> guard(Expected expected, Draft draft, int removals, int measure) {
    if (removals == 0) {
      return Optional.empty();
    }
    if (!expected.complete()) {
      return Optional.of(Guard.FEED_INCOMPLETE);
    }
    if (!draft.unlistable.isEmpty()) {
      return Optional.of(Guard.CLUSTER_INCOMPLETE);
    }
    if (expected.policies().isEmpty()) {
      return Optional.of(Guard.EMPTY_FEED);
    }
    return rules.removals().allows(removals, measure)
        ? Optional.empty()
        : Optional.of(Guard.OVER_BUDGET);
  }

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

  private static Map<PolicyId, LivePolicy> byId(Actual actual) {
    var live = new HashMap<PolicyId, LivePolicy>();
    for (var kind : PolicyKind.all()) {
      if (actual.of(kind) instanceof Listing.Listed(_, var policies)) {
        policies.forEach(policy -> live.put(policy.id(), policy));
      }
    }
    return live;
  }

  /// What is to be done about one expected policy.
  sealed interface Verdict {
    void addTo(Draft draft);

    record Act(Action action) implements Verdict {
      @Override
      public void addTo(Draft draft) {
        draft.actions.add(action);
      }
    }

    record InSync(PolicyId id) implements Verdict {
      @Override
      public void addTo(Draft draft) {
        draft.unchanged.add(id);
      }
    }

    record Clash(Conflict conflict) implements Verdict {
      @Override
      public void addTo(Draft draft) {
        draft.conflicts.add(conflict);
      }
    }

    record Reject(PolicyId id, Failure failure) implements Verdict {
      @Override
      public void addTo(Draft draft) {
        draft.rejected.add(
            new Rejected(id.toString(), Optional.of(id.name()), Optional.of(id), failure));
      }
    }
  }

  private sealed interface Keep {
    record No() implements Keep {}

    record Foreign() implements Keep {}

    record Because(String reason) implements Keep {}
  }

  /// A plan while it grows.
  static final class Draft {
    private final List<Action> actions = new ArrayList<>();
    private final List<PolicyId> unchanged = new ArrayList<>();
    private final List<Rejected> rejected = new ArrayList<>();
    private final List<Conflict> conflicts = new ArrayList<>();
    private final List<Withheld> withheld = new ArrayList<>();
    private final List<Kept> kept = new ArrayList<>();
    private final List<Unlistable> unlistable = new ArrayList<>();
    private final List<Fight> fights = new ArrayList<>();
    private Consent consent = new Consent.NotNeeded();
    private Optional<Integer> ownedBefore = Optional.empty();

    /// Expected policies that will not be in force after this run, whatever else it does.
    private Set<PolicyId> stuck() {
      var stuck = new HashSet<PolicyId>();
      conflicts.forEach(conflict -> stuck.add(conflict.id()));
      rejected.forEach(reject -> reject.id().ifPresent(stuck::add));
      return stuck;
    }

    /// How many removals the feed asks for, withheld or not.
    private int pendingRemovals() {
      var asked = actions.stream().filter(Action.Remove.class::isInstance).count();
      return (int) asked + withheld.size();
    }

    Plan plan() {
      return new Plan(
          actions,
          unchanged,
          rejected,
          conflicts,
          withheld,
          kept,
          unlistable,
          consent,
          ownedBefore,
          fights);
    }
  }
}
