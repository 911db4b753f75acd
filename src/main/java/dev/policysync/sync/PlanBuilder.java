package dev.policysync.sync;

import dev.policysync.plan.Action;
import dev.policysync.plan.EnforceGuard;
import dev.policysync.plan.Guard;
import dev.policysync.plan.PlanContext;
import dev.policysync.plan.Planner;
import dev.policysync.plan.history.FeedHistory;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.feed.ExpectedPolicies;
import dev.policysync.sync.analysis.AdoptionPreview;
import dev.policysync.sync.analysis.DependencyResolver;
import dev.policysync.sync.analysis.ImpactAnalyzer;
import dev.policysync.sync.analysis.LintCache;
import dev.policysync.sync.state.RunState;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// Makes a plan of what a run sees: the planner's, less what a guard holds back.
///
/// @param books knows whether a feed is older than one that was written
record PlanBuilder(
    Planner planner,
    AdoptionPreview adoptionPreview,
    StatusRecorder books,
    LintCache lintCache,
    ImpactAnalyzer impactAnalyzer,
    EnforceGuard enforceGuard,
    DependencyResolver dependencyResolver,
    Clock clock) {

  /// @param expectedPolicies what that feed says
  PlannedRun of(RunInputs runInputs, ExpectedPolicies expectedPolicies, List<String> remarks) {
    return of(
        runInputs, expectedPolicies, remarks, List.of(), runInputs.stored().state(), Set.of());
  }

  /// The same once more, under the Lease.
  ///
  /// @param expectedPolicies what the feed says now
  /// @param before what was made of what was there before
  PlannedRun again(RunInputs runInputs, ExpectedPolicies expectedPolicies, PlannedRun before) {
    return runInputs.feed().digest().equals(before.feed())
        ? of(
            runInputs,
            expectedPolicies,
            List.of(),
            before.plan().actions(),
            before.state(),
            before.seen())
        : of(
            runInputs,
            expectedPolicies,
            List.of(),
            List.of(),
            runInputs.stored().state(),
            before.seen());
  }

  private PlannedRun of(
      RunInputs runInputs,
      ExpectedPolicies expectedPolicies,
      List<String> remarks,
      List<Action> earlier,
      RunState first,
      Set<PolicyId> seenBefore) {
    var stored = runInputs.stored();
    var actualPolicies = runInputs.actualPolicies();
    var feed = runInputs.feed().digest();
    var seen = actualPolicies.byId();
    var uids =
        seen.values().stream().map(live -> live.objectVersion().uid()).collect(Collectors.toSet());
    var removals = stored.state().removals().at(clock.instant()).seeing(uids);
    var planContext =
        new PlanContext(
            removals,
            stored.state().driftHistory().at(clock.instant()),
            stored.approval(),
            adoptionPreview.identical(planner.adoptions(expectedPolicies, actualPolicies)));
    var asked = planner.plan(expectedPolicies, actualPolicies, planContext, earlier);
    var older =
        books
            .wentBack(feed, first, stored.state())
            .filter(_ -> !asked.actions().isEmpty() || !asked.withheld().isEmpty());
    var plan = older.isPresent() ? asked.withholdingAll(Guard.OLDER_FEED) : asked;
    var hazards = lintCache.of(feed, expectedPolicies, plan);
    var safe = plan.withholding(LintCache.withheld(hazards));
    var found = impactAnalyzer.of(safe, expectedPolicies, actualPolicies);
    var guarded = enforceGuard.guard(safe, found.tightenings(), stored.enforcing());
    var shielded = dependencyResolver.guard(guarded, expectedPolicies, actualPolicies, seenBefore);
    var said = new ArrayList<>(remarks);
    said.addAll(LintCache.warnings(hazards));
    older.ifPresent(it -> said.add(text(it)));
    return new PlannedRun(
        feed,
        expectedPolicies,
        shielded,
        found.writes(),
        seen.keySet(),
        stored.state(),
        removals,
        stored.state().failures().lasting(clock.instant()),
        older,
        said);
  }

  private static String text(FeedHistory.Older feed) {
    return "nothing is written, since the feed is one from before the newest that was written: "
        + "it has been since "
        + feed.since().truncatedTo(ChronoUnit.SECONDS)
        + ", and is taken as meant from "
        + feed.meantFrom().truncatedTo(ChronoUnit.SECONDS)
        + " on";
  }
}
