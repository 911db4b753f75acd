package dev.policysync.sync;

import dev.policysync.difference.Difference;
import dev.policysync.plan.Action;
import dev.policysync.plan.Agreement;
import dev.policysync.plan.Consent;
import dev.policysync.plan.Failure;
import dev.policysync.plan.Plan;
import dev.policysync.plan.Planner;
import dev.policysync.plan.Rules;
import dev.policysync.policy.Expected;
import dev.policysync.policy.Feed;
import dev.policysync.policy.FeedProblem;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyReader;
import dev.policysync.policy.PolicySource;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
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
/// read the feed ─┐  nothing changed since they agreed ─▶ finished (nothing parsed)
///                ├─▶ plan ─▶ nothing to do ─▶ finished (no lock, no write)
/// list cluster ──┘     └──▶ take the Lease ─▶ read, list and plan again ─▶ note what begins
///                                ─▶ apply ─▶ remove ─▶ list once more: do they agree now?
///                                ─▶ report ─▶ note what is left ─▶ give it back
/// ```
public final class Synchronizer {
  private static final Logger LOG = LoggerFactory.getLogger(Synchronizer.class);

  private final Ports ports;
  private final Planner planner;
  private final Assessment assessment;
  private final Strictness strictness;
  private final Bookkeeping books;
  private final Conclusion conclusion;
  private final Options options;
  private final StopSign stop;
  private final Progress progress;

  /// Everything outside that a run speaks to.
  ///
  /// @param statuses whom to tell how each policy fared; nobody where the policies come from files
  /// @param events whom to tell what happened in words
  /// @param hazards whom to ask about new and changed policies
  /// @param failing whom to ask who breaks a policy now
  public record Ports(
      PolicySource source,
      PolicyStore store,
      SyncLock lock,
      RunMemory memory,
      Optional<StatusSink> statuses,
      EventSink events,
      Hazards hazards,
      FailingNow failing) {
    /// Nobody is asked about policies, nor about who breaks them.
    public Ports(
        PolicySource source,
        PolicyStore store,
        SyncLock lock,
        RunMemory memory,
        Optional<StatusSink> statuses,
        EventSink events) {
      this(source, store, lock, memory, statuses, events, Hazards.NONE, FailingNow.UNKNOWN);
    }
  }

  /// What a run is asked for.
  ///
  /// @param mode whether writes are meant
  /// @param differences whether to find out field by field what each write changes
  /// @param concurrency how many policies are written at the same time
  /// @param lockWait how long to wait for whoever has the Lease
  /// @param agent which version of the agent this is: what another one found to agree is compared
  ///   again
  public record Options(
      Rules rules,
      Mode mode,
      boolean differences,
      int concurrency,
      Duration lockWait,
      String agent) {}

  /// A run that is yet to begin; `progress` may be [Progress#NONE].
  public Synchronizer(Ports ports, Options options, StopSign stop, Clock clock, Progress progress) {
    this.ports = ports;
    this.planner = new Planner(options.rules());
    var foresight =
        new Foresight(
            ports.store(),
            ports.failing(),
            options.rules().enforcing(),
            stop,
            clock,
            options.concurrency());
    this.books =
        new Bookkeeping(
            ports.memory(), ports.statuses(), options.rules().source(), clock, progress);
    this.assessment =
        new Assessment(
            ports.store(),
            planner,
            new HazardWatch(ports.hazards()),
            foresight,
            new ShieldWatch(ports.store(), foresight, stop, options.concurrency()),
            books,
            options,
            stop,
            clock);
    this.strictness = foresight;
    this.conclusion = new Conclusion(books, ports.memory(), ports.events(), stop);
    this.options = options;
    this.stop = stop;
    this.progress = progress;
  }

  /// Runs once. Everything that can go wrong outside is an answer, never an exception.
  public SyncResult run() {
    var result = attempt();
    return result instanceof SyncResult.Finished finished && signalled()
        ? new SyncResult.Interrupted(finished)
        : result;
  }

  private SyncResult attempt() {
    try {
      progress.step("reading the feed and the cluster");
      var remarks = new ArrayList<String>();
      var looked = look(remarks);
      var result = looked.rest().get();
      if (!looked.approvalsNoted()) {
        noteApprovals();
      }
      return result;
    } catch (FeedProblem e) {
      var late = stop.reason().filter(reason -> reason == Stop.DEADLINE);
      return refused(late.map(reason -> reason + ": ").orElse("") + e.reason(), e.retryable());
    } catch (ClusterUnavailable e) {
      return refused(e.failure());
    }
  }

  /// What a first look leaves to do. The feed itself is let go of: under the Lease it is read
  /// again, and two at a time are a good part of the heap.
  private record Looked(Supplier<SyncResult> rest, boolean approvalsNoted) {}

  private Looked look(List<String> remarks) {
    var sight = Sight.of(this::read, ports.store()::list, () -> recallIfPossible(remarks));
    return new Looked(rest(sight, remarks), sight.recalled().approvalsNoted());
  }

  private Supplier<SyncResult> rest(Sight sight, List<String> remarks) {
    if (assessment.stillAgreed(sight)) {
      LOG.atDebug().log("Nothing has changed since feed and cluster agreed");
      var unchanged = unchanged(sight);
      return () -> unchanged;
    }
    var situation = assessment.of(sight, expected(sight.feed()), remarks);
    if (options.mode() == Mode.DRY_RUN) {
      return () -> preview(situation);
    }
    return idle(sight, situation)
        ? () -> conclusion.of(situation, List.of(), situation.memory().agreement())
        : () -> write(situation);
  }

  /// At the end, when all that can be said of them was said. Where it fails, the next run does it.
  private void noteApprovals() {
    if (options.mode() == Mode.DRY_RUN || stop.reason().isPresent()) {
      return;
    }
    try {
      ports.memory().noteApprovals();
    } catch (ClusterUnavailable e) {
      LOG.atDebug().addKeyValue("reason", e.failure().reason()).log("Approvals not noted");
    }
  }

  /// Whether there is nothing to do under the Lease. Whether a feed is older than another can be
  /// told there alone: another run may have written a newer one just now.
  private static boolean idle(Sight sight, Situation situation) {
    return situation.plan().actions().isEmpty()
        && situation.older().isEmpty()
        && approvable(sight, situation.plan());
  }

  /// Whether a person could approve what is withheld: on a Lease, which the very first run makes,
  /// even if it has nothing to write.
  private static boolean approvable(Sight sight, Plan plan) {
    return sight.recalled().there() || !(plan.enforcing().consent() instanceof Consent.Missing);
  }

  /// @param before what was made of the feed without the Lease
  private SyncResult write(Situation before) {
    progress.step("waiting for the Lease");
    return switch (ports.lock().acquire(least(options.lockWait(), stop.remaining()))) {
      case SyncLock.Attempt.HeldBy(var holder) ->
          signalled() ? new SyncResult.Stopped() : new SyncResult.Skipped(holder, before.feed());
      case SyncLock.Attempt.Unavailable(var failure) -> refused(failure);
      case SyncLock.Attempt.Taken(var held) -> {
        try (held) {
          // Whoever had the Lease before us may have written since we looked, and from a newer
          // feed: only what is read under the Lease is known not to be older than what they wrote.
          progress.step("reading the feed and the cluster again");
          var sight = Sight.of(this::read, ports.store()::list, ports.memory()::recall);
          var same = sight.feed().digest().equals(before.feed());
          var expected = same ? before.expected() : expected(sight.feed());
          var found = assessment.again(sight, expected, before);
          var situation = found.with(books.begin(found));
          var outcomes = execute(situation, () -> stopReason(held));
          progress.step("reading the cluster again");
          var agreement = assessment.reached(situation, outcomes);
          yield conclusion.of(situation, outcomes, agreement);
        }
      }
    };
  }

  private static Expected expected(Feed feed) {
    return PolicyReader.read(feed.manifests());
  }

  private SyncResult unchanged(Sight sight) {
    var plan = Agreement.unchanged(sight.actual(), options.rules());
    return new SyncResult.Finished(
        plan, List.of(), sight.feed().digest(), Map.of(), Optional.empty(), List.of());
  }

  /// Before anything is written it does no harm not to know: a run that goes on to write asks
  /// again.
  private RunMemory.Recalled recallIfPossible(List<String> remarks) {
    try {
      return ports.memory().recall();
    } catch (ClusterUnavailable e) {
      remarks.add("what earlier runs noted could not be read: " + e.failure().reason());
      return RunMemory.Recalled.NOTHING;
    }
  }

  private Feed read() {
    return Feed.of(ports.source().read());
  }

  private SyncResult preview(Situation situation) {
    var outcomes = execute(situation, stop::reason);
    var changes = new LinkedHashMap<PolicyId, Difference>();
    for (var outcome : options.differences() ? outcomes : List.<Outcome>of()) {
      if (outcome instanceof Outcome.Done(Action.Write write, _)) {
        var stopped = stop.reason();
        if (stopped.isPresent()) {
          return refused(stopped.get().toString(), true);
        }
        changes.put(write.id(), difference(write));
      }
    }
    return conclusion.ofPreview(situation, outcomes, changes);
  }

  private Difference difference(Action.Write write) {
    var preview = ports.store().preview(write);
    return Difference.between(preview.before(), preview.after());
  }

  private List<Outcome> execute(Situation situation, Supplier<Optional<Stop>> stopReason) {
    var plan = situation.plan();
    progress.step(options.mode() == Mode.DRY_RUN ? "asking the API server" : "writing");
    var execution =
        new Execution(
            ports.store(),
            planner,
            options.mode(),
            options.concurrency(),
            stopReason,
            () -> allowed(plan.consent()),
            () -> allowed(plan.enforcing().consent()),
            strictness,
            progress);
    var outcomes = execution.run(plan, situation.lasting());
    OutcomeLog.of(outcomes, options.mode());
    return outcomes;
  }

  /// Uses the consent up where there is one.
  private boolean allowed(Consent consent) {
    return options.mode() == Mode.DRY_RUN
        || !(consent instanceof Consent.Given(var approval))
        || ports.memory().use(approval);
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

  private static Duration least(Duration one, Duration other) {
    return one.compareTo(other) <= 0 ? one : other;
  }
}
