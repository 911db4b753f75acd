package dev.policysync.sync;

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

/// One run, from the feed to the summary's facts.
///
/// ```
/// read the feed ─┐  nothing changed since they agreed ─▶ finished (nothing parsed)
///                ├─▶ plan ─▶ nothing to do ─▶ finished (no lock, no write)
/// list cluster ──┘     └──▶ take the Lease ─▶ read, list and plan again ─▶ note what begins
///                                ─▶ apply ─▶ remove, reporting what has ended
///                                ─▶ list what was written: do they agree now?
///                                ─▶ note what is left ─▶ give it back
/// ```
public final class Synchronizer {
  private static final Logger LOG = LoggerFactory.getLogger(Synchronizer.class);

  /// How often a run looks that others overtake in noting what they saw, which takes them a moment.
  private static final int LOOKS = 3;

  private final SyncPorts ports;
  private final RunSteps steps;
  private final SyncOptions options;
  private final Cancellation stop;
  private final Clock clock;
  private final Progress progress;

  /// A run that is yet to begin; `progress` may be [Progress#NONE].
  public Synchronizer(
      SyncPorts ports, SyncOptions options, Cancellation stop, Clock clock, Progress progress) {
    this.ports = ports;
    this.steps = RunSteps.of(ports, options, stop, clock, progress);
    this.options = options;
    this.stop = stop;
    this.clock = clock;
    this.progress = progress;
  }

  /// Runs once. Everything that can go wrong outside is an answer, never an exception.
  public SyncResult run() {
    var result = publishEvents(knowingKyverno(steps.conversionPreview().addedTo(attempt())));
    return result instanceof SyncResult.Finished finished && signalled()
        ? new SyncResult.Interrupted(finished)
        : result;
  }

  /// Adds that nobody knows whether Kyverno runs, where that is so.
  private SyncResult knowingKyverno(SyncResult result) {
    return result instanceof SyncResult.Finished run
            && steps.inForceCheck().health() instanceof KyvernoHealth.Unknown(var reason)
        ? run.remarking("whether Kyverno is running is unknown: " + reason)
        : result;
  }

  /// Writes the Events of a run that ended by itself. The Lease is given back by then: a slow API
  /// server for Events keeps no other run from its writes.
  private SyncResult publishEvents(SyncResult result) {
    if (!(result instanceof SyncResult.Finished run)
        || options.writeMode() == WriteMode.DRY_RUN
        || stop.reason().isPresent()) {
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

  /// Finds out what a run would do, without doing any of it. Asked of a dry run.
  public SyncResult inspect() {
    return knowingKyverno(
        orRefused(() -> {
          var firstLook = firstLook(new ArrayList<>());
          var unchanged = unchanged(firstLook);
          if (unchanged.isPresent()) {
            return unchanged.get();
          }
          var runInputs = inputs(firstLook);
          var plannedRun = steps.planBuilder().of(runInputs, expected(runInputs), List.of());
          return steps.runFinisher().ofPreview(plannedRun, List.of(), Map.of());
        }));
  }

  private SyncResult attempt() {
    return orRefused(() -> {
      progress.step("reading the feed and the cluster");
      var looked = look(new ArrayList<>());
      var result = looked.rest().get();
      if (options.writeMode() != WriteMode.DRY_RUN && stop.reason().isEmpty()) {
        noteApprovals(result, looked.approvalsNoted());
        looked.renewed().ifPresent(this::note);
      }
      return result;
    });
  }

  private SyncResult orRefused(Supplier<SyncResult> attempt) {
    try {
      return attempt.get();
    } catch (FeedProblem e) {
      var late = stop.reason().filter(reason -> reason == StopReason.DEADLINE);
      return refused(late.map(reason -> reason + ": ").orElse("") + e.reason(), e.retryable());
    } catch (ClusterUnavailable e) {
      return refused(e.failure());
    }
  }

  /// What a first look leaves to do. The feed itself is let go of: under the Lease it is read
  /// again, and two at a time are a good part of the heap.
  ///
  /// @param renewed the agreement that is to be recorded anew: it was found to hold by a run that
  ///   asked for everything
  private record Looked(
      Supplier<SyncResult> rest, boolean approvalsNoted, Optional<Agreement> renewed) {}

  /// A run whose writes are noted and may be done.
  ///
  /// @param untouched what was listed of kinds that it does not write; the rest is let go of, too
  /// @param feed that it is made of
  private record Begun(PlannedRun plannedRun, Map<PolicyKind, Listing> untouched, Feed feed) {}

  private FirstLook firstLook(List<String> remarks) {
    Runnable kyverno = steps.inForceCheck()::health;
    return options.writeMode() == WriteMode.DRY_RUN
        ? FirstLook.whole(ports, kyverno, remarks)
        : FirstLook.since(ports, kyverno, remarks, clock.instant());
  }

  private RunInputs inputs(FirstLook firstLook) {
    return firstLook.inputs(this::read, ports.store()::list);
  }

  private Looked look(List<String> remarks) {
    var firstLook = firstLook(remarks);
    var renewed =
        steps.inSyncCheck().stillAgreed(firstLook) && firstLook.complete()
            ? firstLook
                .stored()
                .state()
                .agreement()
                .map(on -> steps.inSyncCheck().renewed(on, firstLook))
            : Optional.<Agreement>empty();
    return new Looked(rest(firstLook, remarks), firstLook.stored().approvalsNoted(), renewed);
  }

  private Supplier<SyncResult> rest(FirstLook firstLook, List<String> remarks) {
    var dryRun = options.writeMode() == WriteMode.DRY_RUN;
    // A dry run says of each policy what becomes of it, which only a comparison tells.
    var compares = dryRun && ports.conversions() instanceof Conversions.Apply;
    var unchanged = compares ? Optional.<SyncResult>empty() : unchanged(firstLook);
    if (unchanged.isPresent()) {
      if (dryRun) {
        firstLook
            .feed()
            .ifPresent(feed ->
                steps
                    .conversionPreview()
                    .remember(
                        feed,
                        () -> steps.expectations().of(feed, firstLook.actualPolicies()).policies(),
                        firstLook.actualPolicies()));
      }
      return unchanged::get;
    }
    var runInputs = inputs(firstLook);
    var expected = expected(runInputs);
    steps
        .conversionPreview()
        .remember(runInputs.feed(), expected::policies, runInputs.actualPolicies());
    var plannedRun = steps.planBuilder().of(runInputs, expected, remarks);
    if (dryRun) {
      return () -> preview(plannedRun);
    }
    if (!idle(runInputs, plannedRun)) {
      return () -> write(plannedRun);
    }
    var feed = runInputs.feed();
    progress.planned(plannedRun.plan(), plannedRun.feed());
    var found = steps.inSyncCheck().idle(runInputs, plannedRun);
    return () ->
        steps
            .runFinisher()
            .of(plannedRun, List.of(), steps.books().report(plannedRun, feed), found);
  }

  /// At the end, when all that can be said of them was said. Where it fails, the next run does it.
  ///
  /// @param noted whether it is known since when each of them is there
  private void noteApprovals(SyncResult result, boolean noted) {
    try {
      if (result instanceof SyncResult.Finished finished) {
        finished.plan().endedApprovals().forEach(ports.runState()::end);
      }
      if (!noted) {
        ports.runState().noteApprovals();
      }
    } catch (ClusterUnavailable e) {
      LOG.atDebug().addKeyValue("reason", e.failure().reason()).log("Approvals not recorded");
    }
  }

  /// Records an agreement that still holds, so that the next runs of this hour go by it. Where it
  /// fails, the next run looks at everything once more.
  private void note(Agreement renewed) {
    try {
      ports
          .runState()
          .update(state ->
              state
                      .agreement()
                      .map(Agreement::fingerprint)
                      .equals(Optional.of(renewed.fingerprint()))
                  ? state.withAgreement(Optional.of(renewed))
                  : state);
    } catch (ClusterUnavailable e) {
      LOG.atDebug().addKeyValue("reason", e.failure().reason()).log("Agreement not recorded");
    }
  }

  /// Whether there is nothing to do under the Lease. Whether a feed is older than another can be
  /// told there alone: another run may have written a newer one just now.
  private static boolean idle(RunInputs runInputs, PlannedRun plannedRun) {
    return plannedRun.plan().actions().isEmpty()
        && plannedRun.older().isEmpty()
        && approvable(runInputs, plannedRun.plan());
  }

  /// Whether a person could approve what is withheld: on a Lease, which the very first run makes,
  /// even if it has nothing to write.
  private static boolean approvable(RunInputs runInputs, Plan plan) {
    return runInputs.stored().leaseExists()
        || !(plan.enforcementApproval().approvalState() instanceof ApprovalState.Missing);
  }

  /// @param before what was made of the feed without the Lease
  private SyncResult write(PlannedRun before) {
    progress.step("waiting for the Lease");
    return switch (ports.lock().acquire(least(options.lockWait(), stop.remaining()))) {
      case SyncLock.Attempt.HeldBy(var holder, var objection) ->
          signalled()
              ? new SyncResult.Stopped()
              : new SyncResult.Skipped(holder, before.feed(), objection);
      case SyncLock.Attempt.Unavailable(var failure) -> refused(failure);
      case SyncLock.Attempt.Taken(var held) -> {
        try (held) {
          var begun = begun(before);
          var plannedRun = begun.plannedRun();
          var report = steps.books().report(plannedRun, begun.feed());
          var outcomes = execute(plannedRun, () -> stopReason(held), report::ended);
          progress.step("reading the cluster again");
          var found =
              steps
                  .inSyncCheck()
                  .afterWrites(plannedRun, begun.untouched(), begun.feed().version(), outcomes);
          yield steps.runFinisher().of(plannedRun, outcomes, report, found);
        }
      }
    };
  }

  /// Whoever had the Lease before us may have written since we looked, and from a newer feed: only
  /// what is read under the Lease is known not to be older than what they wrote. A run without it
  /// may note what it saw at any moment; then all is looked at once more.
  private Begun begun(PlannedRun before) {
    for (int look = 1; look <= LOOKS; look++) {
      progress.step("reading the feed and the cluster again");
      steps.conversionPreview().forget();
      var runInputs = RunInputs.of(this::read, ports.store()::list, ports.runState()::load);
      var expected = expected(runInputs);
      steps
          .conversionPreview()
          .remember(runInputs.feed(), expected::policies, runInputs.actualPolicies());
      var found = steps.planBuilder().again(runInputs, expected, before);
      var noted = steps.books().begin(found);
      if (noted.isPresent()) {
        return new Begun(
            found.with(noted.get()),
            InSyncCheck.untouched(found.plan(), runInputs.actualPolicies()),
            runInputs.feed());
      }
    }
    throw StatusRecorder.overtaken();
  }

  private Expected expected(RunInputs runInputs) {
    return steps.expectations().of(runInputs.feed(), runInputs.actualPolicies());
  }

  /// The result where nothing has changed since feed and cluster agreed; empty also where another
  /// release of Kyverno has, as that ends the agreement.
  private Optional<SyncResult> unchanged(FirstLook firstLook) {
    if (!steps.inSyncCheck().stillAgreed(firstLook)) {
      return Optional.empty();
    }
    LOG.atDebug().log("Feed and cluster unchanged since the last sync");
    var plan =
        InSyncFingerprint.unchanged(firstLook.actualPolicies(), options.plannerOptions())
            .ending(firstLook.stored().approval(), firstLook.stored().enforcing());
    var inForceCheck = steps.inForceCheck();
    var actualPolicies = firstLook.actualPolicies();
    var notInForce =
        firstLook.complete()
            ? inForceCheck.of(plan, actualPolicies)
            : inForceCheck.ofKnownRelease(plan, actualPolicies);
    return NotInForce.noneByRelease(notInForce)
        ? Optional.of(steps.runFinisher().ofUnchanged(plan, firstLook.digest(), notInForce))
        : Optional.empty();
  }

  private Feed read() {
    return ports.source().feed();
  }

  private SyncResult preview(PlannedRun plannedRun) {
    var outcomes = execute(plannedRun, stop::reason, _ -> {});
    var changes = steps.writeDiffs().map(diffs -> diffs.of(outcomes)).orElse(Map.of());
    return steps.runFinisher().ofPreview(plannedRun, outcomes, changes);
  }

  private List<Outcome> execute(
      PlannedRun plannedRun, Supplier<Optional<StopReason>> stopReason, Consumer<Outcome> ended) {
    progress.step(
        options.writeMode() == WriteMode.DRY_RUN ? "sending dry-run requests" : "writing");
    progress.planned(plannedRun.plan(), plannedRun.feed());
    // Logged as they end: a run that is cut off has said by then what it did.
    return steps
        .execution()
        .run(
            plannedRun.plan(),
            plannedRun.lasting(),
            stopReason,
            outcome -> {
              OutcomeLog.log(outcome, options.writeMode());
              ended.accept(outcome);
            });
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

  private static Duration least(Duration one, Duration other) {
    return one.compareTo(other) <= 0 ? one : other;
  }
}
