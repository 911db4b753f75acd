package dev.policysync.plan;

import static java.util.stream.Collectors.joining;

import dev.policysync.plan.Plan.ManagerConflict;
import dev.policysync.plan.Plan.Rejected;
import dev.policysync.plan.Plan.Unlistable;
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
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/// Makes a plan from the expected and the live policies. Pure and total: no clock, no log, no I/O,
/// and a result for every input.
public final class Planner {
  /// The number of repairs in a row that are not reported as a conflict: the first change may be a
  /// mistake, and the second one another attempt.
  private static final int REPAIRS_BEFORE_A_FIGHT = 2;

  private static final Failure EXCLUDED =
      new Failure(
          Failure.Cause.KIND_EXCLUDED,
          "EXCLUDE_KINDS excludes this kind; remove the kind from that setting, or the policy from"
              + " the feed");

  private final PlannerOptions plannerOptions;
  private final PolicyDecider policyDecider;

  public Planner(PlannerOptions plannerOptions) {
    this.plannerOptions = plannerOptions;
    this.policyDecider = new PolicyDecider(plannerOptions);
  }

  /// Returns the plan that brings the live policies in sync with the expected ones, as far as the
  /// rules allow.
  public Plan plan(
      ExpectedPolicies expectedPolicies, ActualPolicies actualPolicies, PlanContext planContext) {
    return plan(expectedPolicies, actualPolicies, planContext, List.of());
  }

  /// Returns the same plan with less work.
  ///
  /// @param earlier actions of an earlier plan for the very same expected policies; their desired
  ///   policies are reused
  public Plan plan(
      ExpectedPolicies expectedPolicies,
      ActualPolicies actualPolicies,
      PlanContext planContext,
      List<Action> earlier) {
    return plan(compare(expectedPolicies, actualPolicies, planContext, earlier), planContext);
  }

  /// The expected policies compared with the live ones, before removals are decided.
  ///
  /// @param writes the plan of writes
  /// @param removals the live policies that are no longer expected
  public record Comparison(
      ExpectedPolicies expectedPolicies,
      ActualPolicies actualPolicies,
      Plan writes,
      RemovalCandidates removals) {}

  /// Compares the expected policies with the live ones.
  ///
  /// @param earlier actions of an earlier plan for the very same expected policies; their desired
  ///   policies are reused
  public Comparison compare(
      ExpectedPolicies expectedPolicies,
      ActualPolicies actualPolicies,
      PlanContext planContext,
      List<Action> earlier) {
    var all = writes(expectedPolicies, actualPolicies, planContext, earlier);
    var replacements = new Replacements(expectedPolicies, all, actualPolicies.byId());
    var writes = replacements.postponing(all);
    return new Comparison(
        expectedPolicies,
        actualPolicies,
        writes,
        RemovalCandidates.of(
            expectedPolicies, actualPolicies, writes, replacements, plannerOptions));
  }

  /// Returns the plan with the removals that the removal guard allows.
  public Plan plan(Comparison comparison, PlanContext planContext) {
    var removals = comparison.removals();
    return new RemovalGuard(plannerOptions.removals(), planContext)
        .guard(
            comparison.writes(),
            planContext.ifApproved().map(removals::without).orElse(removals),
            comparison.expectedPolicies(),
            comparison.actualPolicies());
  }

  private Plan writes(
      ExpectedPolicies expectedPolicies,
      ActualPolicies actualPolicies,
      PlanContext planContext,
      List<Action> earlier) {
    var draft = new PlanDraft();
    var live = actualPolicies.byId();
    var known = desired(earlier);
    var forms = Successors.byLegacy(live.values());
    for (var policy : expectedPolicies.policies()) {
      var policyDecision =
          besideForm(policy, actualPolicies, live, forms)
              .orElseGet(
                  () -> decide(policy, actualPolicies, live, planContext.identical(), known));
      if (policyDecision instanceof PolicyDecision.InSync
          && planContext.altered().contains(policy.id())) {
        policyDecision = new PolicyDecision.Act(repair(policy, actualPolicies, live));
      }
      draft
          .add(policyDecision)
          .managerConflicts(managerConflict(policyDecision, planContext.drift()).stream().toList());
    }
    return draft
        .rejected(expectedPolicies.unreadable().stream().map(Planner::rejected).toList())
        .unlistable(unlistable(expectedPolicies, actualPolicies))
        .successions(Successors.of(expectedPolicies, live.values(), plannerOptions))
        .plan();
  }

  private PolicyDecision decide(
      Policy policy,
      ActualPolicies actualPolicies,
      Map<PolicyId, LivePolicy> live,
      Set<PolicyId> identical,
      Map<PolicyId, DesiredPolicy> known) {
    return switch (actualPolicies.of(policy.id().kind())) {
      case Listing.Absent(var reason) ->
          new PolicyDecision.Reject(policy, new Failure(Failure.Cause.KIND_ABSENT, reason));
      case Listing.Excluded() -> new PolicyDecision.Reject(policy, EXCLUDED);
      case Listing.Unlistable(var failure) -> new PolicyDecision.Reject(policy, failure);
      case Listing.Listed(var version, _) ->
          policyDecider.decide(
              Optional.ofNullable(known.get(policy.id()))
                  .filter(desiredPolicy -> desiredPolicy.version().equals(version))
                  .orElseGet(() -> DesiredPolicy.of(policy, version, plannerOptions.source())),
              Optional.ofNullable(live.get(policy.id())),
              identical);
    };
  }

  private Optional<PolicyDecision> besideForm(
      Policy policy,
      ActualPolicies actualPolicies,
      Map<PolicyId, LivePolicy> live,
      Map<PolicyId, List<LivePolicy>> forms) {
    var id = policy.id();
    return forms.containsKey(id)
            && !live.containsKey(id)
            && ExceptionGuard.isPolicy(id)
            && actualPolicies.of(id.kind()) instanceof Listing.Listed
        ? Replacements.beside(id, forms.getOrDefault(id, List.of()), plannerOptions)
        : Optional.empty();
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

  private static Optional<ManagerConflict> managerConflict(
      PolicyDecision policyDecision, DriftHistory driftHistory) {
    if (policyDecision
            instanceof PolicyDecision.Act(Action.Update(var desiredPolicy, _, var cause, var by))
        && cause == Action.Cause.DRIFTED) {
      var before = driftHistory.times(desiredPolicy.id(), by);
      return before < REPAIRS_BEFORE_A_FIGHT
          ? Optional.empty()
          : Optional.of(new ManagerConflict(desiredPolicy.id(), by, before + 1));
    }
    return Optional.empty();
  }

  private static Rejected rejected(UnreadableDocument document) {
    return new Rejected(
        document.label(),
        document.name(),
        document.id(),
        new Failure(Failure.Cause.UNREADABLE, reason(document)));
  }

  /// Returns the reason, with the position in the feed if the document's label is a policy and not
  /// a position.
  private static String reason(UnreadableDocument document) {
    var places = document.positions().stream().map(Position::toString).collect(joining("; "));
    return document.id().isEmpty() ? document.reason() : document.reason() + " (" + places + ")";
  }

  private static List<Unlistable> unlistable(
      ExpectedPolicies expectedPolicies, ActualPolicies actualPolicies) {
    var unlistable = new ArrayList<Unlistable>();
    for (var kind : PolicyKind.all()) {
      if (actualPolicies.of(kind) instanceof Listing.Unlistable(var failure)) {
        var policies =
            expectedPolicies.policies().stream().filter(policy -> policy.id().kind() == kind);
        unlistable.add(new Unlistable(kind, (int) policies.count(), failure));
      }
    }
    return unlistable;
  }

  /// Returns repairs of policies that seem to be in sync, but whose generation differs from the
  /// known one. Only the API server can decide whether such a repair would change anything.
  public List<Action.Update> generationRepairs(
      ExpectedPolicies expectedPolicies,
      ActualPolicies actualPolicies,
      KnownGenerations knownGenerations) {
    if (knownGenerations.isEmpty()) {
      return List.of();
    }
    var live = actualPolicies.byId();
    var moved = new ArrayList<Action.Update>();
    for (var policy : expectedPolicies.policies()) {
      var there = live.get(policy.id());
      if (there != null
          && !knownGenerations.contains(there)
          && decide(policy, actualPolicies, live, Set.of(), Map.of())
              instanceof PolicyDecision.InSync) {
        moved.add(repair(policy, actualPolicies, live));
      }
    }
    return List.copyOf(moved);
  }

  private Action.Update repair(
      Policy policy, ActualPolicies actualPolicies, Map<PolicyId, LivePolicy> live) {
    var version = ((Listing.Listed) actualPolicies.of(policy.id().kind())).version();
    return new Action.Update(
        DesiredPolicy.of(policy, version, plannerOptions.source()),
        Objects.requireNonNull(live.get(policy.id())).objectVersion(),
        Action.Cause.DRIFTED);
  }

  /// Returns repairs of policies with fields that are missing from all entries of the managed
  /// fields, if they were recently repaired for the same reason. A removed field looks like this.
  /// So does a status write by Kubernetes before 1.35, which drops fields from some managed fields
  /// without a change of content. Only the API server can tell the two apart, and repairing the
  /// second case would never end.
  public List<Action.Update> unownedFieldRepairs(
      ExpectedPolicies expectedPolicies, ActualPolicies actualPolicies, DriftHistory driftHistory) {
    if (driftHistory.series().isEmpty()) {
      return List.of();
    }
    var live = actualPolicies.byId();
    var disowned = new ArrayList<Action.Update>();
    for (var policy : expectedPolicies.policies()) {
      if (driftHistory.times(policy.id(), Set.of()) > 0
          && decide(policy, actualPolicies, live, Set.of(), Map.of())
              instanceof PolicyDecision.Act(Action.Update update)
          && update.cause() == Action.Cause.DRIFTED
          && update.by().isEmpty()) {
        disowned.add(update);
      }
    }
    return List.copyOf(disowned);
  }

  /// Returns the adoptions that are allowed only if they change nothing but our ownership
  /// annotations ([Adoption#IDENTICAL]). Only the API server can decide that.
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
      if (decide(policy, actualPolicies, live, Set.of(), Map.of()) instanceof PolicyDecision.Clash
          && decide(policy, actualPolicies, live, everything, Map.of())
              instanceof PolicyDecision.Act(Action.Update adoption)) {
        undecided.add(adoption);
      }
    }
    return List.copyOf(undecided);
  }
}
