package dev.policysync.sync;

import dev.policysync.plan.Approval;
import dev.policysync.plan.ApprovalState;
import dev.policysync.plan.Failure;
import dev.policysync.plan.InSyncFingerprint;
import dev.policysync.plan.Listing;
import dev.policysync.plan.Plan;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.feed.Feed;
import dev.policysync.policy.feed.FeedProblem;
import dev.policysync.policy.kyverno.KyvernoHealth;
import dev.policysync.sync.analysis.NotInForce;
import dev.policysync.sync.execution.Cancellation;
import dev.policysync.sync.execution.ClusterUnavailable;
import dev.policysync.sync.execution.Outcome;
import dev.policysync.sync.execution.Progress;
import dev.policysync.sync.execution.StopReason;
import dev.policysync.sync.execution.WriteMode;
import dev.policysync.sync.succession.Conversions;
import dev.policysync.sync.succession.Expected;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One run, from reading the feed to the result for the summary.
///
/// ```
/// read the feed ─┐  unchanged since they were in sync ─▶ finished (nothing parsed)
///                ├─▶ plan ─▶ nothing to write ─▶ finished (no Lease, no write)
/// list cluster ──┘     └──▶ take the Lease ─▶ read, list and plan again ─▶ record planned writes
///                                ─▶ apply ─▶ remove, reporting each status
///                                ─▶ list the written kinds: in sync now?
///                                ─▶ record the state ─▶ release the Lease
/// ```
public final class Synchronizer {
  private static final Logger LOG = LoggerFactory.getLogger(Synchronizer.class);

  /// How often to plan again when another run updated the state in between. Such an update takes a
  /// moment.
  private static final int PLANS_UNDER_THE_LEASE = 3;

  private final SyncPorts ports;
  private final RunSteps steps;
  private final SyncOptions options;
  private final Cancellation stop;
  private final Clock clock;
  private final Progress progress;

  /// @param progress may be [Progress#NONE]
  public Synchronizer(
      SyncPorts ports, SyncOptions options, Cancellation stop, Clock clock, Progress progress) {
    this.ports = ports;
    this.steps = RunSteps.of(ports, options, stop, clock, progress);
    this.options = options;
    this.stop = stop;
    this.clock = clock;
    this.progress = progress;
  }

  /// Runs once. A failure of the API, the cluster or the feed is a result, never an exception.
  public SyncResult run() {
    var synced = resultOf(this::sync);
    var converted = steps.conversionPreview().addTo(synced);
    var result = publishEvents(withUnknownHealth(converted));
    return result instanceof SyncResult.Finished finished && signalled()
        ? new SyncResult.Interrupted(finished)
        : result;
  }

  /// Compares feed and cluster, without any write, not even dry-run requests.
  public Inspection inspect() {
    try {
      return planOnly();
    } catch (FeedProblem e) {
      return new Inspection.NoFeed(e.reason());
    } catch (ClusterUnavailable e) {
      return new Inspection.NoCluster(e.failure().reason());
    }
  }

  private SyncResult sync() {
    progress.step("reading the feed and the cluster");
    var firstPass = firstPass();
    var result =
        switch (firstPass.next()) {
          case Next.Finish(var finished) -> finished;
          case Next.Execute(var plannedRun) ->
              isDryRun() ? preview(plannedRun) : writeUnderLease(plannedRun);
        };
    if (!isDryRun() && stop.reason().isEmpty()) {
      steps.statusRecorder().recordApprovals(endedApprovals(result), firstPass.approvalsNoted());
      firstPass.renewed().ifPresent(steps.statusRecorder()::recordAgreement);
    }
    return result;
  }

  private Inspection planOnly() {
    var firstLook = firstLook(new ArrayList<>());
    var run =
        unchanged(firstLook)
            .orElseGet(() -> {
              var runInputs = inputs(firstLook);
              var plannedRun = steps.planBuilder().plan(runInputs, expected(runInputs), List.of());
              return steps.runFinisher().finishPreview(plannedRun, List.of(), Map.of());
            });
    var recentErrors = firstLook.stored().state().recentErrors();
    return new Inspection.Compared(run, recentErrors, steps.inForceCheck().health());
  }

  private SyncResult resultOf(Supplier<SyncResult> run) {
    try {
      return run.get();
    } catch (FeedProblem e) {
      var late = stop.reason().filter(reason -> reason == StopReason.DEADLINE);
      return refused(late.map(reason -> reason + ": ").orElse("") + e.reason(), e.retryable());
    } catch (ClusterUnavailable e) {
      return refused(e.failure());
    }
  }

  /// Adds a remark if it is unknown whether Kyverno runs.
  private SyncResult withUnknownHealth(SyncResult result) {
    return result instanceof SyncResult.Finished run
            && steps.inForceCheck().health() instanceof KyvernoHealth.Unknown(var reason)
        ? run.remarking("whether Kyverno is running is unknown: " + reason)
        : result;
  }

  /// Writes the Events of a run that ended by itself. The Lease is already released, so that a slow
  /// API server for Events does not delay the writes of another run.
  private SyncResult publishEvents(SyncResult result) {
    if (!(result instanceof SyncResult.Finished run) || isDryRun() || stop.reason().isPresent()) {
      return result;
    }
    var events = PolicyEventBuilder.of(run.plan(), run.outcomes(), run.notInForce());
    if (events.isEmpty()) {
      return run;
    }
    progress.step("writing Events");
    return ports
        .events()
        .publish(events)
        .map(reason -> run.remarking("some Events could not be written: " + reason))
        .orElse(run);
  }

  /// What a run does after its first look.
  private sealed interface Next {
    record Finish(SyncResult result) implements Next {}

    record Execute(PlannedRun plannedRun) implements Next {}
  }

  /// The result of the first look. The bytes of the feed are not kept: under the Lease the feed is
  /// read again, and two feeds at a time take a large part of the heap.
  ///
  /// @param renewed the agreement to record again, if a run that read everything anew confirmed it
  private record FirstPass(Next next, boolean approvalsNoted, Optional<Agreement> renewed) {}

  private FirstPass firstPass() {
    var warnings = new ArrayList<String>();
    var firstLook = firstLook(warnings);
    var stored = firstLook.stored();
    var renewed =
        steps.inSyncCheck().stillAgreed(firstLook) && firstLook.complete()
            ? stored.state().agreement().map(on -> steps.inSyncCheck().renewed(on, firstLook))
            : Optional.<Agreement>empty();
    return new FirstPass(next(firstLook, warnings), stored.approvalsNoted(), renewed);
  }

  private FirstLook firstLook(List<String> warnings) {
    Runnable kyverno = steps.inForceCheck()::health;
    return isDryRun()
        ? FirstLook.whole(ports, kyverno, warnings)
        : FirstLook.since(ports, kyverno, warnings, clock.instant());
  }

  private Next next(FirstLook firstLook, List<String> warnings) {
    // A dry run reports how each policy is converted, and needs a comparison for that.
    var compares = isDryRun() && ports.conversions() instanceof Conversions.Apply;
    var unchanged = compares ? Optional.<SyncResult.Finished>empty() : unchanged(firstLook);
    if (unchanged.isPresent()) {
      previewConversions(firstLook);
      return new Next.Finish(unchanged.get());
    }
    var runInputs = inputs(firstLook);
    var expected = expected(runInputs);
    previewConversions(runInputs, expected);
    var plannedRun = steps.planBuilder().plan(runInputs, expected, warnings);
    if (isDryRun() || needsLease(runInputs, plannedRun)) {
      return new Next.Execute(plannedRun);
    }
    progress.planned(plannedRun.plan(), plannedRun.feed());
    var found = steps.inSyncCheck().idle(runInputs, plannedRun);
    var report = steps.statusRecorder().report(plannedRun, runInputs.feed());
    return new Next.Finish(steps.runFinisher().finish(plannedRun, List.of(), report, found));
  }

  private RunInputs inputs(FirstLook firstLook) {
    return firstLook.inputs(this::readFeed, ports.store()::list);
  }

  private Feed readFeed() {
    return ports.source().feed();
  }

  /// Returns the policies that the feed expects. With `CONVERT=apply`, they have the form that the
  /// current state of the cluster requires.
  private Expected expected(RunInputs runInputs) {
    var feed = runInputs.feed();
    var policies = steps.feedReader().read(feed);
    return steps
        .successionPlanner()
        .map(planner -> planner.plan(feed, policies, runInputs.actualPolicies()))
        .orElseGet(() -> Expected.asWritten(policies));
  }

  private void previewConversions(RunInputs runInputs, Expected expected) {
    steps
        .conversionPreview()
        .remember(runInputs.feed(), expected::policies, runInputs.actualPolicies());
  }

  /// Previews the conversions of an unchanged feed, which only a dry run has read.
  private void previewConversions(FirstLook firstLook) {
    if (isDryRun()) {
      firstLook
          .feed()
          .ifPresent(feed ->
              steps
                  .conversionPreview()
                  .remember(feed, () -> steps.feedReader().read(feed), firstLook.actualPolicies()));
    }
  }

  /// Returns the result if nothing has changed since feed and cluster were in sync; empty if the
  /// installed release of Kyverno no longer executes all of it, which ends the agreement.
  private Optional<SyncResult.Finished> unchanged(FirstLook firstLook) {
    if (!steps.inSyncCheck().stillAgreed(firstLook)) {
      return Optional.empty();
    }
    LOG.atDebug().log("Feed and cluster unchanged since the last sync");
    var actualPolicies = firstLook.actualPolicies();
    var plan =
        InSyncFingerprint.unchanged(actualPolicies, options.plannerOptions())
            .ending(firstLook.stored().approval(), firstLook.stored().enforcing());
    var inForceCheck = steps.inForceCheck();
    var notInForce =
        firstLook.complete()
            ? inForceCheck.of(plan, actualPolicies)
            : inForceCheck.ofKnownRelease(plan, actualPolicies);
    return NotInForce.allShownByStatus(notInForce)
        ? Optional.of(steps.runFinisher().finishUnchanged(plan, firstLook.digest(), notInForce))
        : Optional.empty();
  }

  /// Returns whether the run has to take the Lease: to write, or to find out whether the feed is
  /// older than an applied one, because another run may have just applied a newer feed.
  private static boolean needsLease(RunInputs runInputs, PlannedRun plannedRun) {
    return !plannedRun.plan().actions().isEmpty()
        || plannedRun.older().isPresent()
        || !isApprovable(runInputs, plannedRun.plan());
  }

  /// Returns whether a person could approve what is withheld. An approval is an annotation on the
  /// Lease, so the first run creates the Lease even if it has nothing to write.
  private static boolean isApprovable(RunInputs runInputs, Plan plan) {
    return runInputs.stored().leaseExists()
        || !(plan.approvals().enforcement().approvalState() instanceof ApprovalState.Missing);
  }

  /// @param before the plan that was made without the Lease
  private SyncResult writeUnderLease(PlannedRun before) {
    progress.step("waiting for the Lease");
    return switch (ports.lock().acquire(shorter(options.lockWait(), stop.remaining()))) {
      case SyncLock.Attempt.HeldBy(var holder, var objection) ->
          signalled()
              ? new SyncResult.Stopped()
              : new SyncResult.Skipped(holder, before.feed(), objection);
      case SyncLock.Attempt.Unavailable(var failure) -> refused(failure);
      case SyncLock.Attempt.Taken(var held) -> {
        try (held) {
          var lockedRun = planUnderLease(before);
          var plannedRun = lockedRun.plannedRun();
          var feed = lockedRun.feed();
          var report = steps.statusRecorder().report(plannedRun, feed);
          var outcomes = execute(plannedRun, () -> stopReason(held), report::ended);
          progress.step("reading the cluster again");
          var found =
              steps
                  .inSyncCheck()
                  .afterWrites(plannedRun, lockedRun.untouched(), feed.version(), outcomes);
          yield steps.runFinisher().finish(plannedRun, outcomes, report, found);
        }
      }
    };
  }

  /// A run that has recorded its writes and may send them.
  ///
  /// @param untouched the lists of the kinds that the run does not write
  /// @param feed the feed that the plan was made from
  private record LockedRun(PlannedRun plannedRun, Map<PolicyKind, Listing> untouched, Feed feed) {}

  /// Reads everything again and plans again. The previous holder may have applied a newer feed:
  /// only what is read under the Lease is certainly no older than what that run wrote. A run
  /// without the Lease may update the state at any moment; the plan is made again then.
  private LockedRun planUnderLease(PlannedRun before) {
    for (int plans = 1; plans <= PLANS_UNDER_THE_LEASE; plans++) {
      progress.step("reading the feed and the cluster again");
      steps.conversionPreview().forget();
      var runInputs = RunInputs.of(this::readFeed, ports.store()::list, ports.runState()::load);
      var expected = expected(runInputs);
      previewConversions(runInputs, expected);
      var plannedRun = steps.planBuilder().planAgain(runInputs, expected, before);
      var recorded = steps.statusRecorder().begin(plannedRun);
      if (recorded.isPresent()) {
        return new LockedRun(
            plannedRun.with(recorded.get()),
            InSyncCheck.untouched(plannedRun.plan(), runInputs.actualPolicies()),
            runInputs.feed());
      }
    }
    throw StatusRecorder.overtaken();
  }

  private SyncResult preview(PlannedRun plannedRun) {
    var outcomes = execute(plannedRun, stop::reason, _ -> {});
    var changes = steps.writeDiffs().map(diffs -> diffs.of(outcomes)).orElse(Map.of());
    return steps.runFinisher().finishPreview(plannedRun, outcomes, changes);
  }

  private List<Outcome> execute(
      PlannedRun plannedRun, Supplier<Optional<StopReason>> stopReason, Consumer<Outcome> ended) {
    progress.step(isDryRun() ? "sending dry-run requests" : "writing");
    progress.planned(plannedRun.plan(), plannedRun.feed());
    // Outcomes are logged at once, so that a run that is cut off has logged what it did.
    return steps
        .execution()
        .run(
            plannedRun.plan(),
            plannedRun.recorded().lasting(),
            stopReason,
            outcome -> {
              OutcomeLog.log(outcome, options.writeMode());
              ended.accept(outcome);
            });
  }

  private static List<Approval> endedApprovals(SyncResult result) {
    return result instanceof SyncResult.Finished finished
        ? finished.plan().endedApprovals()
        : List.of();
  }

  private boolean isDryRun() {
    return options.writeMode() == WriteMode.DRY_RUN;
  }

  private SyncResult refused(Failure failure) {
    return refused(failure.reason(), failure.retryable());
  }

  private SyncResult refused(String reason, boolean retryable) {
    return signalled() ? new SyncResult.Stopped() : new SyncResult.Refused(reason, retryable);
  }

  private boolean signalled() {
    return stop.reason().filter(reason -> reason == StopReason.SIGNAL).isPresent();
  }

  private Optional<StopReason> stopReason(SyncLock.Held held) {
    var reason = stop.reason();
    return reason.isEmpty() && !held.stillOurs() ? Optional.of(StopReason.LEASE_LOST) : reason;
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) <= 0 ? one : other;
  }
}
