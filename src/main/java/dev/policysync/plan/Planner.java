package dev.policysync.plan;

import static java.util.stream.Collectors.joining;

import dev.policysync.ownership.FieldOwnership;
import dev.policysync.plan.Plan.Conflict;
import dev.policysync.plan.Plan.Fight;
import dev.policysync.plan.Plan.Rejected;
import dev.policysync.plan.Plan.Unlistable;
import dev.policysync.policy.Expected;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.Position;
import dev.policysync.policy.Unreadable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// From what is expected and what is there to a plan. Pure and total: no clock, no log, no I/O, and
/// an answer for every input.
public final class Planner {
  /// One repair may follow a mistake, a second one somebody's second try.
  private static final int REPAIRS_BEFORE_A_FIGHT = 2;

  private final Rules rules;

  /// One that obeys these rules.
  public Planner(Rules rules) {
    this.rules = rules;
  }

  /// The plan that makes `actual` equal to `expected`, within the rules.
  public Plan plan(Expected expected, Actual actual, Circumstances circumstances) {
    return plan(expected, actual, circumstances, List.of());
  }

  /// The same plan, made with less work.
  ///
  /// @param earlier actions of an earlier plan for the very same expected policies: what they apply
  ///   need not be worked out again
  public Plan plan(
      Expected expected, Actual actual, Circumstances circumstances, List<Action> earlier) {
    var draft = new Draft();
    var live = actual.byId();
    var known = desired(earlier);
    for (var policy : expected.policies()) {
      draft.add(judge(policy, actual, live, circumstances.identical(), known));
    }
    draft.fights.addAll(fights(draft.actions, circumstances.repairs()));
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
    return draft.plan(
        Removals.of(rules, expected, actual, circumstances, draft.stuck(), draft.adds()));
  }

  /// Takeovers that depend on whether they would change anything but our marks, which only the API
  /// server can tell: [Adoption#IDENTICAL].
  public List<Action.Update> adoptions(Expected expected, Actual actual) {
    if (rules.adoption() != Adoption.IDENTICAL) {
      return List.of();
    }
    var live = actual.byId();
    var everything = new HashSet<PolicyId>();
    expected.policies().forEach(policy -> everything.add(policy.id()));
    var undecided = new ArrayList<Action.Update>();
    for (var policy : expected.policies()) {
      if (judge(policy, actual, live, Set.of(), Map.of()) instanceof Verdict.Clash
          && judge(policy, actual, live, everything, Map.of())
              instanceof Verdict.Act(Action.Update adoption)) {
        undecided.add(adoption);
      }
    }
    return List.copyOf(undecided);
  }

  private static Map<PolicyId, Desired> desired(List<Action> actions) {
    var desired = new HashMap<PolicyId, Desired>();
    for (var action : actions) {
      if (action instanceof Action.Write write) {
        desired.put(write.id(), write.desired());
      }
    }
    return desired;
  }

  private static List<Fight> fights(List<Action> actions, Repairs repairs) {
    var fights = new ArrayList<Fight>();
    for (var action : actions) {
      if (action instanceof Action.Update(var desired, _, var cause, var by)
          && cause == Action.Cause.DRIFTED
          && repairs.times(desired.id(), by) >= REPAIRS_BEFORE_A_FIGHT) {
        fights.add(new Fight(desired.id(), by, repairs.times(desired.id(), by) + 1));
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
      Policy policy,
      Actual actual,
      Map<PolicyId, LivePolicy> live,
      Set<PolicyId> identical,
      Map<PolicyId, Desired> known) {
    return switch (actual.of(policy.id().kind())) {
      case Listing.Absent(var reason) ->
          new Verdict.Reject(policy.id(), new Failure(Failure.Cause.KIND_ABSENT, reason));
      case Listing.Unlistable(var failure) -> new Verdict.Reject(policy.id(), failure);
      case Listing.Listed(var version, _) ->
          judge(
              Optional.ofNullable(known.get(policy.id()))
                  .filter(desired -> desired.version().equals(version))
                  .orElseGet(() -> Desired.of(policy, version, rules.source())),
              Optional.ofNullable(live.get(policy.id())),
              identical.contains(policy.id()));
    };
  }

  /// What to do about one policy, given the object that has its name now. One that is not ours has
  /// changed since it was found to be identical, and so counts as different.
  public Verdict judge(Desired desired, Optional<LivePolicy> live) {
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
          adopt(
              desired,
              there,
              identical,
              "an object of that name exists and is not ours; " + withIdentical());
      case Claim.Copy(var original) ->
          adopt(
              desired,
              there,
              identical,
              "the object of that name is a copy of " + original + "; " + withIdentical());
      // Two clusters' policies may well be identical; that does not make theirs ours.
      case Claim.OtherSource(var source) ->
          adopt(
              desired,
              there,
              false,
              "it was applied for another source, " + source + "; ADOPT=always takes it over");
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
        : new Verdict.Clash(new Conflict(desired.id(), reason));
  }

  private String withIdentical() {
    return rules.adoption() == Adoption.IDENTICAL
        ? "it is not known to be identical, and ADOPT=always takes it over"
        : "ADOPT=always takes it over, ADOPT=identical only if nothing but our marks would change";
  }

  /// Whether a policy that nobody expects may still be removed as it is now.
  public boolean removable(LivePolicy live) {
    return Removals.removable(live, rules.source());
  }

  /// A plan while it grows.
  private static final class Draft {
    private final List<Action> actions = new ArrayList<>();
    private final List<PolicyId> unchanged = new ArrayList<>();
    private final List<Rejected> rejected = new ArrayList<>();
    private final List<Conflict> conflicts = new ArrayList<>();
    private final List<Unlistable> unlistable = new ArrayList<>();
    private final List<Fight> fights = new ArrayList<>();

    private void add(Verdict verdict) {
      switch (verdict) {
        case Verdict.Act(var action) -> actions.add(action);
        case Verdict.InSync(var id) -> unchanged.add(id);
        case Verdict.Clash(var conflict) -> conflicts.add(conflict);
        case Verdict.Reject(var id, var failure) ->
            rejected.add(
                new Rejected(id.toString(), Optional.of(id.name()), Optional.of(id), failure));
      }
    }

    /// Expected policies that will not be in force after this run, whatever else it does.
    private Set<PolicyId> stuck() {
      var stuck = new HashSet<PolicyId>();
      conflicts.forEach(conflict -> stuck.add(conflict.id()));
      rejected.forEach(reject -> reject.id().ifPresent(stuck::add));
      return stuck;
    }

    private boolean adds() {
      return actions.stream().anyMatch(Action.Create.class::isInstance);
    }

    private Plan plan(Removals removals) {
      actions.addAll(removals.going());
      return new Plan(
          actions,
          unchanged,
          rejected,
          conflicts,
          removals.withheld(),
          removals.kept(),
          unlistable,
          removals.consent(),
          removals.note(),
          fights);
    }
  }
}
