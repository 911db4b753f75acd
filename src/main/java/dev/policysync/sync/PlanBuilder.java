package dev.policysync.sync;

import dev.policysync.plan.Action;
import dev.policysync.plan.InSyncFingerprint;
import dev.policysync.plan.Plan;
import dev.policysync.plan.PlanContext;
import dev.policysync.plan.Planner;
import dev.policysync.plan.history.FeedHistory;
import dev.policysync.plan.live.ActualPolicies;
import dev.policysync.policy.Digest;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.feed.ExpectedPolicies;
import dev.policysync.sync.analysis.DependencyResolver;
import dev.policysync.sync.analysis.ImpactAnalyzer;
import dev.policysync.sync.analysis.LintCache;
import dev.policysync.sync.execution.Cancellation;
import dev.policysync.sync.execution.ClusterUnavailable;
import dev.policysync.sync.execution.Outcome;
import dev.policysync.sync.execution.PolicyStore;
import dev.policysync.sync.state.RunState;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes a plan of what a run sees, and says whether feed and cluster agree.
final class PlanBuilder {
  private static final Logger LOG = LoggerFactory.getLogger(PlanBuilder.class);

  private static final Optional<PolicyStore.Preview> NO_PREVIEW = Optional.empty();

  private final PolicyStore store;
  private final Planner planner;
  private final LintCache hazards;
  private final ImpactAnalyzer impactAnalyzer;
  private final DependencyResolver shields;
  private final StatusRecorder books;
  private final Synchronizer.Options options;
  private final Cancellation stop;
  private final Clock clock;

  PlanBuilder(
      PolicyStore store,
      Planner planner,
      LintCache hazards,
      ImpactAnalyzer impactAnalyzer,
      DependencyResolver shields,
      StatusRecorder books,
      Synchronizer.Options options,
      Cancellation stop,
      Clock clock) {
    this.store = store;
    this.planner = planner;
    this.hazards = hazards;
    this.impactAnalyzer = impactAnalyzer;
    this.shields = shields;
    this.books = books;
    this.options = options;
    this.stop = stop;
    this.clock = clock;
  }

  /// Whether nothing has changed since feed and cluster were found to agree.
  boolean stillAgreed(RunInputs runInputs) {
    return runInputs
        .stored()
        .state()
        .stillIn(agreement(runInputs.feed().digest(), runInputs.actualPolicies()));
  }

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
    var seen = runInputs.actualPolicies().byId();
    var uids =
        seen.values().stream().map(live -> live.objectVersion().uid()).collect(Collectors.toSet());
    var removals = stored.state().removals().at(clock.instant()).seeing(uids);
    var planContext =
        new PlanContext(
            removals,
            stored.state().driftHistory().at(clock.instant()),
            stored.approval(),
            identical(expectedPolicies, runInputs.actualPolicies()));
    var asked = planner.plan(expectedPolicies, runInputs.actualPolicies(), planContext, earlier);
    var older =
        books
            .wentBack(runInputs.feed().digest(), first, stored.state())
            .filter(_ -> !asked.actions().isEmpty() || !asked.withheld().isEmpty());
    var plan = older.isPresent() ? asked.withholdingAll(Plan.Guard.OLDER_FEED) : asked;
    var hazards = this.hazards.of(runInputs.feed().digest(), expectedPolicies, plan);
    var safe = plan.withholding(LintCache.withheld(hazards));
    var found = impactAnalyzer.of(safe, expectedPolicies, runInputs.actualPolicies());
    var guarded =
        options.plannerOptions().enforcing().guard(safe, found.tightenings(), stored.enforcing());
    var shielded = shields.guard(guarded, expectedPolicies, runInputs.actualPolicies(), seenBefore);
    var said = new ArrayList<>(remarks);
    said.addAll(LintCache.warnings(hazards));
    older.ifPresent(feed -> said.add(text(feed)));
    return new PlannedRun(
        runInputs.feed().digest(),
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

  private Optional<InSyncFingerprint> agreement(Digest feed, ActualPolicies actualPolicies) {
    return InSyncFingerprint.on(feed, actualPolicies, options.plannerOptions(), options.agent());
  }

  /// What feed and cluster agree on after all writes, if they do; the cluster itself is asked, as a
  /// webhook may have changed what we wrote.
  Optional<InSyncFingerprint> reached(PlannedRun plannedRun, List<Outcome> outcomes) {
    if (plannedRun.older().isPresent()) {
      return plannedRun.state().agreement();
    }
    if (stop.reason().isPresent() || !outcomes.stream().allMatch(PlanBuilder::settled)) {
      return Optional.empty();
    }
    try {
      var actualPolicies = store.list();
      var plan =
          planner.plan(
              plannedRun.expectedPolicies(),
              actualPolicies,
              PlanContext.NONE,
              plannedRun.plan().actions());
      return plan.equals(InSyncFingerprint.unchanged(actualPolicies, options.plannerOptions()))
          ? agreement(plannedRun.feed(), actualPolicies)
          : Optional.empty();
    } catch (ClusterUnavailable e) {
      LOG.atDebug()
          .addKeyValue("reason", e.failure().reason())
          .log("Cluster not read again, the next run compares everything");
      return Optional.empty();
    }
  }

  private static boolean settled(Outcome outcome) {
    return outcome instanceof Outcome.Done || outcome instanceof Outcome.Settled;
  }

  /// Policies that are not ours and that an apply would leave as they are, but for our marks. One
  /// of which that cannot be found out is not among them.
  private Set<PolicyId> identical(
      ExpectedPolicies expectedPolicies, ActualPolicies actualPolicies) {
    var identical = new HashSet<PolicyId>();
    for (var adoption : planner.adoptions(expectedPolicies, actualPolicies)) {
      try {
        var preview = stop.reason().isEmpty() ? Optional.of(store.preview(adoption)) : NO_PREVIEW;
        if (preview.filter(PolicyStore.Preview::changesMarksOnly).isPresent()) {
          identical.add(adoption.id());
        }
      } catch (ClusterUnavailable e) {
        LOG.atWarn()
            .addKeyValue("policy", adoption.id())
            .addKeyValue("reason", e.failure().reason())
            .log("Policy cannot be compared");
      }
    }
    return identical;
  }
}
