package dev.policysync.sync;

import dev.policysync.policy.Expected;
import dev.policysync.policy.FeedProblem;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyReader;
import dev.policysync.policy.PolicySource;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One run, from the feed to the summary's facts.
///
/// ```
/// read the feed ─┐
///                ├─▶ plan ─▶ nothing to do ─▶ finished (no lock, no write)
/// list cluster ──┘     └──▶ take the Lease ─▶ list and plan again ─▶ apply ─▶ remove ─▶ report
/// ```
public final class Synchronizer {
  private static final Logger LOG = LoggerFactory.getLogger(Synchronizer.class);

  /// A feed that was read so long ago is read again before it is written.
  private static final Duration FRESH = Duration.ofSeconds(2);

  private final PolicySource source;
  private final PolicyStore store;
  private final SyncLock lock;
  private final StatusSink statuses;
  private final Planner planner;
  private final Options options;
  private final StopSign stop;
  private final Clock clock;
  private final Progress progress;

  /// What a run is asked for.
  ///
  /// @param mode whether writes are meant
  /// @param differences whether to find out field by field what each write changes
  /// @param concurrency how many policies are written at the same time
  /// @param lockWait how long to wait for whoever has the Lease
  public record Options(
      Rules rules, Mode mode, boolean differences, int concurrency, Duration lockWait) {}

  /// Everything a run uses; `progress` may be [Progress#NONE].
  public Synchronizer(
      PolicySource source,
      PolicyStore store,
      SyncLock lock,
      StatusSink statuses,
      Options options,
      StopSign stop,
      Clock clock,
      Progress progress) {
    this.source = source;
    this.store = store;
    this.lock = lock;
    this.statuses = statuses;
    this.planner = new Planner(options.rules());
    this.options = options;
    this.stop = stop;
    this.clock = clock;
    this.progress = progress;
  }

  /// Runs once. Everything that can go wrong outside is an answer, never an exception.
  public SyncResult run() {
    try {
      progress.step("reading the feed");
      var expected = read();
      progress.step("reading the cluster");
      var plan = planner.plan(expected, store.list());
      if (options.mode() == Mode.DRY_RUN) {
        return preview(expected, plan);
      }
      return plan.actions().isEmpty() ? report(expected, plan, List.of()) : write(expected);
    } catch (FeedProblem e) {
      return refused(e.reason(), e.retryable());
    } catch (ClusterUnavailable e) {
      return refused(e.failure());
    }
  }

  private SyncResult write(Expected expected) {
    progress.step("waiting for the Lease");
    var asked = stop.nanoTime();
    return switch (lock.acquire(least(options.lockWait(), stop.remaining()))) {
      case SyncLock.Attempt.HeldBy(var holder) ->
          signalled()
              ? new SyncResult.Stopped()
              : new SyncResult.Skipped(holder, expected.digest());
      case SyncLock.Attempt.Unavailable(var failure) -> refused(failure);
      case SyncLock.Attempt.Taken(var held) -> {
        Expected current;
        Plan plan;
        List<Outcome> outcomes;
        try (held) {
          // Whoever had the Lease before us may have written since we looked, and from a newer
          // feed.
          current = since(asked).compareTo(FRESH) < 0 ? expected : read();
          plan = planner.plan(current, store.list());
          outcomes = execute(plan, () -> stopReason(held));
        }
        yield report(current, plan, outcomes);
      }
    };
  }

  private Expected read() {
    return PolicyReader.read(source.read());
  }

  private Duration since(long nanoTime) {
    return Duration.ofNanos(stop.nanoTime() - nanoTime);
  }

  private SyncResult preview(Expected expected, Plan plan) {
    var outcomes = execute(plan, stop::reason);
    var changes = new LinkedHashMap<PolicyId, Difference>();
    for (var outcome : options.differences() ? outcomes : List.<Outcome>of()) {
      if (outcome instanceof Outcome.Done(Action.Write write, _)) {
        var stopped = stop.reason();
        if (stopped.isPresent()) {
          return refused(stopped.get().toString(), true);
        }
        changes.put(write.id(), Difference.between(store.preview(write)));
      }
    }
    return new SyncResult.Finished(plan, outcomes, expected.digest(), changes, 0);
  }

  private List<Outcome> execute(Plan plan, Supplier<Optional<Stop>> stopReason) {
    progress.step(options.mode() == Mode.DRY_RUN ? "asking the API server" : "writing");
    var execution =
        new Execution(store, planner, options.mode(), options.concurrency(), stopReason, progress);
    var outcomes = execution.run(plan);
    outcomes.forEach(this::log);
    return outcomes;
  }

  private SyncResult report(Expected expected, Plan plan, List<Outcome> outcomes) {
    var toSend = Statuses.of(expected, plan, outcomes, clock.instant());
    if (!toSend.isEmpty()) {
      progress.step("reporting");
    }
    var unsent = toSend.isEmpty() ? List.<PolicyStatus>of() : statuses.send(toSend);
    return new SyncResult.Finished(plan, outcomes, expected.digest(), Map.of(), unsent.size());
  }

  private SyncResult refused(Failure failure) {
    return refused(failure.reason(), failure.retryable());
  }

  private SyncResult refused(String reason, boolean retryable) {
    return signalled() ? new SyncResult.Stopped() : new SyncResult.Refused(reason, retryable);
  }

  private boolean signalled() {
    return stop.reason().filter(reason -> reason == Stop.SIGNAL).isPresent();
  }

  private Optional<Stop> stopReason(SyncLock.Held held) {
    var reason = stop.reason();
    return reason.isEmpty() && !held.stillOurs() ? Optional.of(Stop.LEASE_LOST) : reason;
  }

  private void log(Outcome outcome) {
    var action = outcome.action();
    var dryRun = options.mode() == Mode.DRY_RUN;
    switch (outcome) {
      case Outcome.Done _ ->
          LOG.atInfo()
              .addKeyValue("policy", action.id())
              .addKeyValue("cause", action.cause())
              .log(done(action, dryRun));
      case Outcome.Failed(_, var failure) ->
          LOG.atError()
              .addKeyValue("policy", action.id())
              .addKeyValue("reason", failure.reason())
              .log("Policy failed");
      case Outcome.NotAttempted(_, var why) ->
          LOG.atWarn()
              .addKeyValue("policy", action.id())
              .addKeyValue("reason", why)
              .log("Policy not attempted");
      case Outcome.Settled _ ->
          LOG.atInfo().addKeyValue("policy", action.id()).log("Policy is in sync already");
      case Outcome.Dropped(_, var reason) ->
          LOG.atWarn()
              .addKeyValue("policy", action.id())
              .addKeyValue("reason", reason)
              .log("Policy left as it is");
    }
  }

  private static String done(Action action, boolean dryRun) {
    return switch (action) {
      case Action.Create _ -> dryRun ? "Policy would be applied" : "Policy applied";
      case Action.Update _ -> dryRun ? "Policy would be updated" : "Policy updated";
      case Action.Remove _ -> dryRun ? "Policy would be removed" : "Policy removed";
    };
  }

  private static Duration least(Duration one, Duration other) {
    return one.compareTo(other) <= 0 ? one : other;
  }
}
