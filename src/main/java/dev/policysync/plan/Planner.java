package dev.policysync.plan;

import static java.util.stream.Collectors.joining;

import dev.policysync.managedfields.FieldOwnership;
import dev.policysync.plan.Plan.Conflict;
import dev.policysync.plan.Plan.ManagerConflict;
import dev.policysync.plan.Plan.Rejected;
import dev.policysync.plan.Plan.Unlistable;
import dev.policysync.plan.history.DriftHistory;
import dev.policysync.plan.live.ActualPolicies;
import dev.policysync.plan.live.Failure;
import dev.policysync.plan.live.Listing;
import dev.policysync.plan.live.LivePolicy;
import dev.policysync.plan.ownership.Adoption;
import dev.policysync.plan.ownership.DesiredPolicy;
import dev.policysync.plan.ownership.OwnershipAnnotations;
import dev.policysync.plan.ownership.OwnershipVerdict;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.Position;
import dev.policysync.policy.feed.ExpectedPolicies;
import dev.policysync.policy.feed.UnreadableDocument;
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

  private final PlannerOptions plannerOptions;

  /// One that obeys these rules.
  public Planner(PlannerOptions plannerOptions) {
    this.plannerOptions = plannerOptions;
  }

  /// The plan that makes `actual` equal to `expected`, within the rules.
  public Plan plan(
      ExpectedPolicies expectedPolicies, ActualPolicies actualPolicies, PlanContext planContext) {
    return plan(expectedPolicies, actualPolicies, planContext, List.of());
  }

  /// The same plan, made with less work.
  ///
  /// @param earlier actions of an earlier plan for the very same expected policies: what they apply
  ///   need not be worked out again
  public Plan plan(
      ExpectedPolicies expectedPolicies,
      ActualPolicies actualPolicies,
      PlanContext planContext,
      List<Action> earlier) {
    var draft = new Draft();
    var live = actualPolicies.byId();
    var known = desired(earlier);
    for (var policy : expectedPolicies.policies()) {
      draft.add(judge(policy, actualPolicies, live, planContext.identical(), known));
    }
    draft.fights.addAll(fights(draft.actions, planContext.drift()));
    for (var unreadableDocument : expectedPolicies.unreadable()) {
      var failure = new Failure(Failure.Cause.UNREADABLE, reason(unreadableDocument));
      draft.rejected.add(
          new Rejected(
              unreadableDocument.label(),
              unreadableDocument.name(),
              unreadableDocument.id(),
              failure));
    }
    for (var kind : PolicyKind.all()) {
      if (actualPolicies.of(kind) instanceof Listing.Unlistable(var failure)) {
        draft.unlistable.add(new Unlistable(kind.label(), failure));
      }
    }
    return draft.plan(
        RemovalPlan.of(
            plannerOptions,
            expectedPolicies,
            actualPolicies,
            planContext,
            draft.stuck(),
            draft.adds()));
  }

  /// Takeovers that depend on whether they would change anything but our marks, which only the API
  /// server can tell: [Adoption#IDENTICAL].
  public List<Action.Update> adoptions(
      ExpectedPolicies expectedPolicies, ActualPolicies actualPolicies) {
    if (plannerOptions.adoption() != Adoption.IDENTICAL) {
      return List.of();
    }
    var live = actualPolicies.byId();
    var everything = new HashSet<PolicyId>();
    expectedPolicies.policies().forEach(policy -> everything.add(policy.id()));
    var undecided = new ArrayList<Action.Update>();
    for (var policy : expectedPolicies.policies()) {
      if (judge(policy, actualPolicies, live, Set.of(), Map.of()) instanceof PolicyDecision.Clash
          && judge(policy, actualPolicies, live, everything, Map.of())
              instanceof PolicyDecision.Act(Action.Update adoption)) {
        undecided.add(adoption);
      }
    }
    return List.copyOf(undecided);
  }

  private static Map<PolicyId, DesiredPolicy> desired(List<Action> actions) {
    var desired = new HashMap<PolicyId, DesiredPolicy>();
    for (var action : actions) {
      if (action instanceof Action.Write write) {
        desired.put(write.id(), write.desired());
      }
    }
    return desired;
  }

  private static List<ManagerConflict> fights(List<Action> actions, DriftHistory driftHistory) {
    var fights = new ArrayList<ManagerConflict>();
    for (var action : actions) {
      if (action instanceof Action.Update(var desiredPolicy, _, var cause, var by)
          && cause == Action.Cause.DRIFTED
          && driftHistory.times(desiredPolicy.id(), by) >= REPAIRS_BEFORE_A_FIGHT) {
        fights.add(
            new ManagerConflict(
                desiredPolicy.id(), by, driftHistory.times(desiredPolicy.id(), by) + 1));
      }
    }
    return fights;
  }

  /// Where a document names its policy, the message still has to say where it stands.
  private static String reason(UnreadableDocument document) {
    var places = document.positions().stream().map(Position::toString).collect(joining("; "));
    return document.id().isEmpty() ? document.reason() : document.reason() + " (" + places + ")";
  }

  private PolicyDecision judge(
      Policy policy,
      ActualPolicies actualPolicies,
      Map<PolicyId, LivePolicy> live,
      Set<PolicyId> identical,
      Map<PolicyId, DesiredPolicy> known) {
    return switch (actualPolicies.of(policy.id().kind())) {
      case Listing.Absent(var reason) ->
          new PolicyDecision.Reject(policy.id(), new Failure(Failure.Cause.KIND_ABSENT, reason));
      case Listing.Unlistable(var failure) -> new PolicyDecision.Reject(policy.id(), failure);
      case Listing.Listed(var version, _) ->
          judge(
              Optional.ofNullable(known.get(policy.id()))
                  .filter(desiredPolicy -> desiredPolicy.version().equals(version))
                  .orElseGet(() -> DesiredPolicy.of(policy, version, plannerOptions.source())),
              Optional.ofNullable(live.get(policy.id())),
              identical.contains(policy.id()));
    };
  }

  /// What to do about one policy, given the object that has its name now. One that is not ours has
  /// changed since it was found to be identical, and so counts as different.
  public PolicyDecision judge(DesiredPolicy desiredPolicy, Optional<LivePolicy> live) {
    return judge(desiredPolicy, live, false);
  }

  private PolicyDecision judge(
      DesiredPolicy desiredPolicy, Optional<LivePolicy> live, boolean identical) {
    var id = desiredPolicy.id();
    if (live.isEmpty()) {
      return new PolicyDecision.Act(new Action.Create(desiredPolicy));
    }
    var there = live.get();
    if (there.terminating()) {
      return new PolicyDecision.Reject(
          id,
          new Failure(
              Failure.Cause.TERMINATING,
              "it is being deleted and waits for a finalizer; it is applied again once it is gone"));
    }
    // What another object made is never taken over, whether it carries our mark or not.
    var ownershipVerdict =
        there.controlled()
            ? new OwnershipVerdict.Controlled()
            : OwnershipVerdict.of(there, plannerOptions.source());
    return switch (ownershipVerdict) {
      case OwnershipVerdict.Ours() -> judgeOurs(desiredPolicy, there);
      case OwnershipVerdict.Unowned() ->
          adopt(
              desiredPolicy,
              there,
              identical,
              "an object of that name exists and is not ours; " + withIdentical());
      case OwnershipVerdict.Copy(var original) ->
          adopt(
              desiredPolicy,
              there,
              identical,
              "the object of that name is a copy of " + original + "; " + withIdentical());
      // Two clusters' policies may well be identical; that does not make theirs ours.
      case OwnershipVerdict.OtherSource(var source) ->
          adopt(
              desiredPolicy,
              there,
              false,
              "it was applied for another source, " + source + "; ADOPT=always takes it over");
      case OwnershipVerdict.Controlled() ->
          new PolicyDecision.Clash(
              new Conflict(id, "another object owns the object of that name (ownerReferences)"));
    };
  }

  private static PolicyDecision judgeOurs(DesiredPolicy desiredPolicy, LivePolicy live) {
    var ownership = live.ownership();
    var signed = live.annotation(OwnershipAnnotations.APPLIED);
    if (signed.isEmpty() && !ownership.applied()) {
      return new PolicyDecision.Act(
          new Action.Update(desiredPolicy, live.objectVersion(), Action.Cause.ADOPTED));
    }
    if (signed.isPresent() && !signed.get().equals(desiredPolicy.signature())) {
      return new PolicyDecision.Act(
          new Action.Update(desiredPolicy, live.objectVersion(), Action.Cause.CHANGED));
    }
    if (signed.isPresent() && inForce(ownership, desiredPolicy)) {
      return new PolicyDecision.InSync(desiredPolicy.id());
    }
    var by = Set.copyOf(ownership.takers(desiredPolicy.manifest()));
    return new PolicyDecision.Act(
        new Action.Update(desiredPolicy, live.objectVersion(), Action.Cause.DRIFTED, by));
  }

  private static boolean inForce(FieldOwnership ownership, DesiredPolicy desiredPolicy) {
    return ownership.matches(desiredPolicy.manifest()) && ownership.intruders().isEmpty();
  }

  private PolicyDecision adopt(
      DesiredPolicy desiredPolicy, LivePolicy live, boolean identical, String reason) {
    var adopted =
        switch (plannerOptions.adoption()) {
          case ALWAYS -> true;
          case IDENTICAL -> identical;
          case NEVER -> false;
        };
    return adopted
        ? new PolicyDecision.Act(
            new Action.Update(desiredPolicy, live.objectVersion(), Action.Cause.ADOPTED))
        : new PolicyDecision.Clash(new Conflict(desiredPolicy.id(), reason));
  }

  private String withIdentical() {
    return plannerOptions.adoption() == Adoption.IDENTICAL
        ? "it is not known to be identical, and ADOPT=always takes it over"
        : "ADOPT=always takes it over, ADOPT=identical only if nothing but our marks would change";
  }

  /// Whether a policy that nobody expects may still be removed as it is now.
  public boolean removable(LivePolicy live) {
    return RemovalPlan.removable(live, plannerOptions.source());
  }

  /// A plan while it grows.
  private static final class Draft {
    private final List<Action> actions = new ArrayList<>();
    private final List<PolicyId> unchanged = new ArrayList<>();
    private final List<Rejected> rejected = new ArrayList<>();
    private final List<Conflict> conflicts = new ArrayList<>();
    private final List<Unlistable> unlistable = new ArrayList<>();
    private final List<ManagerConflict> fights = new ArrayList<>();

    private void add(PolicyDecision policyDecision) {
      switch (policyDecision) {
        case PolicyDecision.Act(var action) -> actions.add(action);
        case PolicyDecision.InSync(var id) -> unchanged.add(id);
        case PolicyDecision.Clash(var conflict) -> conflicts.add(conflict);
        case PolicyDecision.Reject(var id, var failure) ->
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

    private Plan plan(RemovalPlan removalPlan) {
      actions.addAll(removalPlan.going());
      return new Plan(
          actions,
          unchanged,
          rejected,
          conflicts,
          removalPlan.withheld(),
          removalPlan.kept(),
          unlistable,
          removalPlan.approvalState(),
          removalPlan.note(),
          fights);
    }
  }
}
