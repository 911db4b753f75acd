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
import dev.policysync.sync.analysis.PolicyLinter.PolicyHazard;
import dev.policysync.sync.analysis.WriteImpact;
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

/// Makes a plan of what a run sees: the planner's, less what a guard holds back.
///
/// @param approvedFeed the feed that a person consented to, if any
/// @param books knows whether a feed is older than one that was written
record PlanBuilder(
    Planner planner,
    Optional<ApprovedFeed> approvedFeed,
    IdenticalWrites identicalWrites,
    StatusRecorder books,
    LintCache lintCache,
    ImpactAnalyzer impactAnalyzer,
    EnforceGuard enforceGuard,
    DependencyResolver dependencyResolver,
    InForceCheck inForceCheck,
    WayBack wayBack,
    Clock clock) {

  /// What a plan is made of.
  ///
  /// @param earlier actions of an earlier plan of the same feed
  /// @param first what was noted when this run read the feed first
  /// @param seenBefore policies that this run has listed before
  private record Basis(
      RunInputs runInputs,
      Expected expected,
      List<Action> earlier,
      RunState first,
      Set<PolicyId> seenBefore) {
    private ExpectedPolicies expectedPolicies() {
      return expected.policies();
    }

    private ActualPolicies actualPolicies() {
      return runInputs.actualPolicies();
    }
  }

  /// A plan less what guards hold back, and what they found out.
  private record Guarded(
      Plan plan,
      List<PolicyHazard> hazards,
      List<WriteImpact> impacts,
      Optional<FeedHistory.Older> older) {}

  /// @param expected what that feed expects
  PlannedRun of(RunInputs runInputs, Expected expected, List<String> remarks) {
    var first = runInputs.stored().state();
    return of(new Basis(runInputs, expected, List.of(), first, Set.of()), remarks);
  }

  /// The same once more, under the Lease.
  ///
  /// @param expected what the feed expects now
  /// @param before what was made of what was there before
  PlannedRun again(RunInputs runInputs, Expected expected, PlannedRun before) {
    var same = runInputs.feed().digest().equals(before.feed());
    var earlier =
        expected.policies().equals(before.expectedPolicies())
            ? before.plan().actions()
            : List.<Action>of();
    var first = same ? before.state() : runInputs.stored().state();
    return of(new Basis(runInputs, expected, earlier, first, before.listed().ids()), List.of());
  }

  private PlannedRun of(Basis basis, List<String> remarks) {
    var stored = basis.runInputs().stored();
    var removals = removals(stored.state(), basis.actualPolicies());
    var drift = stored.state().driftHistory().withoutExpired(clock.instant());
    var adoptions = planner.adoptions(basis.expectedPolicies(), basis.actualPolicies());
    var disowned =
        identicalWrites.of(
            planner.unownedFieldRepairs(basis.expectedPolicies(), basis.actualPolicies(), drift));
    var identical = new HashSet<>(identicalWrites.of(adoptions));
    identical.addAll(disowned);
    var known = stored.state().knownGenerations();
    var moved =
        identicalWrites.compare(
            planner.generationRepairs(basis.expectedPolicies(), basis.actualPolicies(), known));
    var planContext =
        new PlanContext(removals, drift, stored.approval(), identical)
            .altering(moved.altered())
            .approving(approvedFeed.filter(approved -> meant(approved, basis)));
    var guarded = guarded(basis, planContext);
    if (guarded.plan().removalApproval() instanceof ApprovalState.Missing(var list, _)) {
      var ifApproved = ifApproved(basis, planContext.approving(list), guarded.plan());
      guarded = guarded(basis, planContext.withPlanIfApproved(ifApproved));
    }
    var said = new ArrayList<>(remarks);
    stored.state().removals().unreadable().forEach(part -> said.add(unreadable(part, removals)));
    said.addAll(LintCache.warnings(guarded.hazards()));
    guarded.older().ifPresent(older -> said.add(text(older)));
    return new PlannedRun(
        basis.runInputs().feed().digest(),
        basis.expectedPolicies(),
        guarded.plan(),
        guarded.impacts(),
        ListedPolicies.of(basis.actualPolicies()),
        stored.state(),
        removals,
        stored.state().failures().lasting(clock.instant()),
        guarded.older(),
        inForceCheck.of(guarded.plan(), basis.actualPolicies()),
        disowned,
        known(known, guarded.plan(), basis.actualPolicies(), moved.unknown()),
        basis.expected().conversions(),
        said);
  }

  /// The generations at which policies are in sync: those of the policies that the plan leaves as
  /// they are, and the ones known before of what a guard or a person keeps from being compared.
  ///
  /// @param before what earlier runs knew; kept where a kind could not be listed, or where else
  ///   nothing would be known
  /// @param uncompared policies that seem to be in sync, of which nobody knows
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

  /// What a run that cannot list a kind does not see may be there all the same.
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

  private Guarded guarded(Basis basis, PlanContext planContext) {
    var stored = basis.runInputs().stored();
    var feed = basis.runInputs().feed().digest();
    var expectedPolicies = basis.expectedPolicies();
    var actualPolicies = basis.actualPolicies();
    var asked = asked(basis, planContext);
    var older =
        books
            .olderFeed(feed, basis.first(), stored.state())
            .filter(_ -> !asked.actions().isEmpty() || !asked.withheld().isEmpty());
    var plan = older.isPresent() ? asked.withholdingAll(Guard.OLDER_FEED) : asked;
    var hazards = lintCache.of(feed, expectedPolicies, plan);
    var safe = plan.withholding(LintCache.withheld(hazards));
    var found = impactAnalyzer.of(safe, expectedPolicies, actualPolicies);
    // Before anybody is asked to approve them: an approval is used up by the run that begins.
    var timely = postponed(basis, safe, planContext);
    var bearable =
        enforceGuard.guard(
            timely, found.tightenings(), stored.enforcing(), planContext.approvedFeed());
    var whole =
        shielded(basis, bearable, planContext).withholdingReplacement(basis.expected().withheld());
    return new Guarded(whole, hazards, found.writes(), older);
  }

  private Plan asked(Basis basis, PlanContext planContext) {
    return wayBack.closed(
        planner.plan(
            basis.expectedPolicies(), basis.actualPolicies(), planContext, basis.earlier()));
  }

  private boolean meant(ApprovedFeed approved, Basis basis) {
    var empty = basis.expectedPolicies().policies().isEmpty();
    return approved.covers(basis.runInputs().feed().digest(), empty, clock.instant());
  }

  private Plan postponed(Basis basis, Plan plan, PlanContext planContext) {
    return dependencyResolver.postpone(
        plan, basis.expectedPolicies(), basis.actualPolicies(), propagation(planContext));
  }

  private Plan shielded(Basis basis, Plan plan, PlanContext planContext) {
    return dependencyResolver.guard(
        plan,
        basis.expectedPolicies(),
        basis.actualPolicies(),
        basis.seenBefore(),
        propagation(planContext));
  }

  private Propagation propagation(PlanContext planContext) {
    return new Propagation(clock.instant(), planContext.removals().dependencyChangedAt());
  }

  /// What would be removed, and what would stay all the same, if a person approved all that the
  /// feed asks to remove. Writes that a guard holds back would not be done for that.
  private Plan ifApproved(Basis basis, PlanContext approving, Plan unapproved) {
    var heldWrites =
        unapproved.withheld().stream().filter(held -> !held.guard().onRemovals()).toList();
    var asked = asked(basis, approving).withholding(heldWrites);
    return shielded(basis, postponed(basis, asked, approving), approving);
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
