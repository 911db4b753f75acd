package dev.policysync.sync;

import dev.policysync.plan.Action;
import dev.policysync.plan.ActualPolicies;
import dev.policysync.plan.ApprovalState;
import dev.policysync.plan.EnforceGuard;
import dev.policysync.plan.FeedHistory;
import dev.policysync.plan.Guard;
import dev.policysync.plan.KnownGenerations;
import dev.policysync.plan.ListedPolicies;
import dev.policysync.plan.Plan;
import dev.policysync.plan.PlanContext;
import dev.policysync.plan.Planner;
import dev.policysync.plan.Propagation;
import dev.policysync.plan.RemovalHistory;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.feed.ApprovedFeed;
import dev.policysync.policy.feed.ExpectedPolicies;
import dev.policysync.sync.analysis.DependencyResolver;
import dev.policysync.sync.analysis.IdenticalWrites;
import dev.policysync.sync.analysis.ImpactAnalyzer;
import dev.policysync.sync.analysis.InForceCheck;
import dev.policysync.sync.analysis.LintCache;
import dev.policysync.sync.analysis.NotInForce;
import dev.policysync.sync.analysis.PolicyLinter.PolicyHazard;
import dev.policysync.sync.analysis.WebhookGuard;
import dev.policysync.sync.analysis.WriteImpact;
import dev.policysync.sync.execution.WarningGroups;
import dev.policysync.sync.succession.Expected;
import dev.policysync.sync.succession.WayBack;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Makes the plan of a run from its inputs, in stages:
///
/// ```
/// compare ─▶ removals ─▶ way back ─▶ older feed ─▶ lint ─▶ impact ─▶ postponed
///         ─▶ enforce guard ─▶ exceptions and dependencies ─▶ replacements
/// ```
///
/// @param approvedFeed the feed that a person approved, if any
/// @param statusRecorder detects whether a feed is older than an applied one
record PlanBuilder(
    Planner planner,
    Optional<ApprovedFeed> approvedFeed,
    IdenticalWrites identicalWrites,
    StatusRecorder statusRecorder,
    LintCache lintCache,
    ImpactAnalyzer impactAnalyzer,
    EnforceGuard enforceGuard,
    DependencyResolver dependencyResolver,
    InForceCheck inForceCheck,
    WayBack wayBack,
    Clock clock) {
  private static final String WITHOUT_NAMESPACE =
      "the feed names no namespace, so the policy is applied to the agent's own, as the Go agent"
          + " did; set metadata.namespace in the feed";

  /// The input of one plan.
  ///
  /// @param earlier actions of an earlier plan for the same expected policies
  /// @param first the recorded state when this run first read the feed
  /// @param listedBefore the policies in an earlier list of this run
  private record Basis(
      RunInputs runInputs,
      Expected expected,
      List<Action> earlier,
      RunState first,
      Set<PolicyId> listedBefore) {
    private ExpectedPolicies expectedPolicies() {
      return expected.policies();
    }

    private ActualPolicies actualPolicies() {
      return runInputs.actualPolicies();
    }
  }

  /// The plan after all guards, and the results of the guards.
  private record Guarded(
      Plan plan,
      List<PolicyHazard> hazards,
      List<WriteImpact> impacts,
      Optional<FeedHistory.Older> older) {}

  /// Makes the first plan of a run.
  ///
  /// @param expected the policies that the feed expects in this cluster
  PlannedRun plan(RunInputs runInputs, Expected expected, List<String> remarks) {
    var state = runInputs.stored().state();
    return plan(new Basis(runInputs, expected, List.of(), state, Set.of()), remarks);
  }

  /// Makes the plan again, under the Lease.
  ///
  /// @param expected the policies that the feed expects now
  /// @param before the plan that was made without the Lease
  PlannedRun planAgain(RunInputs runInputs, Expected expected, PlannedRun before) {
    var sameFeed = runInputs.feed().digest().equals(before.feed());
    var earlier =
        expected.policies().equals(before.expectedPolicies())
            ? before.plan().actions()
            : List.<Action>of();
    var first = sameFeed ? before.recorded().state() : runInputs.stored().state();
    return plan(new Basis(runInputs, expected, earlier, first, before.listed().ids()), List.of());
  }

  private PlannedRun plan(Basis basis, List<String> remarks) {
    var stored = basis.runInputs().stored();
    var expectedPolicies = basis.expectedPolicies();
    var actualPolicies = basis.actualPolicies();
    var removals = removals(stored.state(), actualPolicies);
    var drift = stored.state().driftHistory().withoutExpired(clock.instant());
    var disowned =
        identicalWrites.of(planner.unownedFieldRepairs(expectedPolicies, actualPolicies, drift));
    var identical =
        new HashSet<>(identicalWrites.of(planner.adoptions(expectedPolicies, actualPolicies)));
    identical.addAll(disowned);
    var known = stored.state().knownGenerations();
    var moved =
        identicalWrites.compare(planner.generationRepairs(expectedPolicies, actualPolicies, known));
    var planContext =
        new PlanContext(removals, drift, stored.approval(), identical)
            .altering(moved.altered())
            .approving(approvedFeed.filter(approved -> covers(approved, basis)));
    var comparison =
        planner.compare(expectedPolicies, actualPolicies, planContext, basis.earlier());
    var guarded = guarded(basis, comparison, planContext);
    if (guarded.plan().approvals().removals() instanceof ApprovalState.Missing(var list, _)) {
      // An approval is requested only for removals that would then be done.
      var ifApproved = ifApproved(basis, comparison, planContext.approving(list), guarded.plan());
      guarded = guarded(basis, comparison, planContext.withPlanIfApproved(ifApproved));
    }
    var warnings = new ArrayList<>(remarks);
    warnings.addAll(withoutNamespace(expectedPolicies.inDefaultNamespace()));
    stored
        .state()
        .removals()
        .unreadable()
        .forEach(part -> warnings.add(unreadable(part, removals)));
    warnings.addAll(LintCache.warnings(guarded.hazards()));
    guarded.older().ifPresent(older -> warnings.add(text(older)));
    return new PlannedRun(
        basis.runInputs().feed().digest(),
        expectedPolicies,
        guarded.plan(),
        guarded.impacts(),
        ListedPolicies.of(actualPolicies),
        new PlannedRun.Recorded(
            stored.state(), removals, stored.state().failures().lasting(clock.instant())),
        guarded.older(),
        notInForce(guarded.plan(), basis),
        disowned,
        known(known, guarded.plan(), actualPolicies, moved.unknown()),
        basis.expected().conversions(),
        warnings);
  }

  private static List<String> withoutNamespace(List<PolicyId> policies) {
    var warnings = new WarningGroups(": ", ": ");
    policies.forEach(policy -> warnings.add(policy, WITHOUT_NAMESPACE));
    return warnings.lines();
  }

  private List<NotInForce> notInForce(Plan plan, Basis basis) {
    var found = new ArrayList<>(WebhookGuard.notInForce(plan, basis.expectedPolicies()));
    var breaking = found.stream().map(NotInForce::id).collect(Collectors.toSet());
    inForceCheck.of(plan, basis.actualPolicies()).stream()
        .filter(policy -> !breaking.contains(policy.id()))
        .forEach(found::add);
    return found;
  }

  /// Returns the generations at which policies are in sync: those of the policies that the plan
  /// leaves unchanged, and the known ones of policies that a guard or a person excludes from the
  /// comparison.
  ///
  /// @param before the generations known to earlier runs; kept if a kind could not be listed, or if
  ///   no generation would be known otherwise
  /// @param uncompared policies that seem to be in sync and could not be compared
  private static KnownGenerations known(
      KnownGenerations before, Plan plan, ActualPolicies actualPolicies, Set<PolicyId> uncompared) {
    var unchanged = new HashSet<>(plan.unchanged());
    unchanged.removeAll(uncompared);
    var acted = plan.actions().stream().map(Action::id).collect(Collectors.toSet());
    var known =
        KnownGenerations.of(
            actualPolicies.byId().values().stream()
                .filter(live ->
                    unchanged.contains(live.id())
                        || (before.contains(live) && !acted.contains(live.id())))
                .toList());
    return known.isEmpty() || !actualPolicies.complete() ? before.union(known) : known;
  }

  /// Returns the recorded removals, settled by the list if it is complete: a policy of a kind that
  /// could not be listed may still exist.
  private RemovalHistory removals(RunState runState, ActualPolicies actualPolicies) {
    var removals = runState.removals().at(clock.instant());
    return actualPolicies.complete()
        ? removals.settleBegun(
            actualPolicies.byId().values().stream()
                .filter(live -> !live.terminating())
                .map(live -> live.objectVersion().uid())
                .collect(Collectors.toSet()))
        : removals;
  }

  private Guarded guarded(Basis basis, Planner.Comparison comparison, PlanContext planContext) {
    var stored = basis.runInputs().stored();
    var feed = basis.runInputs().feed().digest();
    var expectedPolicies = basis.expectedPolicies();
    var requested = requested(comparison, planContext);
    var older =
        statusRecorder
            .olderFeed(feed, basis.first(), stored.state())
            .filter(
                _ -> !requested.actions().isEmpty() || !requested.pending().withheld().isEmpty());
    var afterFeedAge = older.isPresent() ? requested.withholdingAll(Guard.OLDER_FEED) : requested;
    var hazards = lintCache.of(feed, expectedPolicies, afterFeedAge);
    var afterLint =
        afterFeedAge
            .withholding(LintCache.withheld(hazards))
            .withholding(WebhookGuard.withheld(afterFeedAge));
    var impact = impactAnalyzer.of(afterLint, expectedPolicies, basis.actualPolicies());
    // Actions are postponed before an approval is requested, because the run that begins uses up
    // the approval.
    var afterPostponing = postponed(basis, afterLint, planContext);
    var afterEnforceGuard =
        enforceGuard.guard(
            afterPostponing, impact.tightenings(), stored.enforcing(), planContext.approvedFeed());
    var guarded =
        withDependencies(basis, afterEnforceGuard, planContext)
            .withholdingReplacement(basis.expected().withheld());
    return new Guarded(guarded, hazards, impact.writes(), older);
  }

  private Plan requested(Planner.Comparison comparison, PlanContext planContext) {
    return wayBack.closed(planner.plan(comparison, planContext), comparison.actualPolicies());
  }

  private boolean covers(ApprovedFeed approved, Basis basis) {
    var empty = basis.expectedPolicies().policies().isEmpty();
    return approved.covers(basis.runInputs().feed().digest(), empty, clock.instant());
  }

  private Plan postponed(Basis basis, Plan plan, PlanContext planContext) {
    return dependencyResolver.postpone(
        plan, basis.expectedPolicies(), basis.actualPolicies(), propagation(planContext));
  }

  private Plan withDependencies(Basis basis, Plan plan, PlanContext planContext) {
    return dependencyResolver.guard(
        plan,
        basis.expectedPolicies(),
        basis.actualPolicies(),
        basis.listedBefore(),
        propagation(planContext));
  }

  private Propagation propagation(PlanContext planContext) {
    return new Propagation(clock.instant(), planContext.removals().dependencyChangedAt());
  }

  /// Returns the plan as if a person had approved all removals that the feed requests, to find out
  /// which of them would stay anyway. Writes that a guard withholds stay withheld.
  private Plan ifApproved(
      Basis basis, Planner.Comparison comparison, PlanContext approving, Plan unapproved) {
    var withheldWrites =
        unapproved.pending().withheld().stream()
            .filter(held -> !held.guard().onRemovals())
            .toList();
    var requested = requested(comparison, approving).withholding(withheldWrites);
    return withDependencies(basis, postponed(basis, requested, approving), approving);
  }

  private static String unreadable(String part, RemovalHistory removals) {
    return "\""
        + part
        + "\" of the state that earlier runs recorded on the Lease cannot be read and is dropped"
        + removals
            .completeFrom()
            .map(time -> "; removals wait until " + time + ", or for an approval")
            .orElse("");
  }

  private static String text(FeedHistory.Older feed) {
    return "nothing is written: the feed went back to an older version; it has been unchanged"
        + " since "
        + feed.since().truncatedTo(ChronoUnit.SECONDS)
        + " and will be applied from "
        + feed.intendedFrom().truncatedTo(ChronoUnit.SECONDS)
        + " on";
  }
}
