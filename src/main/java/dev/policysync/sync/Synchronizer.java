package dev.policysync.sync;

import dev.policysync.difference.Difference;
import dev.policysync.plan.Action;
import dev.policysync.plan.Actual;
import dev.policysync.plan.Agreement;
import dev.policysync.plan.Circumstances;
import dev.policysync.plan.Consent;
import dev.policysync.plan.Failure;
import dev.policysync.plan.Plan;
import dev.policysync.plan.Planner;
import dev.policysync.plan.Rules;
import dev.policysync.policy.Digest;
import dev.policysync.policy.Expected;
import dev.policysync.policy.Feed;
import dev.policysync.policy.FeedProblem;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyReader;
import dev.policysync.policy.PolicySource;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One run, from the feed to the summary's facts.
///
/// ```
/// read the feed ─┐  nothing changed since they agreed ─▶ finished (nothing parsed)
///                ├─▶ plan ─▶ nothing to do ─▶ finished (no lock, no write)
/// list cluster ──┘     └──▶ take the Lease ─▶ list and plan again ─▶ note what begins
///                                ─▶ apply ─▶ remove ─▶ list once more: do they agree now?
///                                ─▶ report ─▶ note what is left ─▶ give it back
/// ```
public final class Synchronizer {
  private static final Logger LOG = LoggerFactory.getLogger(Synchronizer.class);

  /// A feed that was read so long ago is read again before it is written.
  private static final Duration FRESH = Duration.ofSeconds(2);

  private static final Optional<PolicyStore.Preview> NO_PREVIEW = Optional.empty();

  private final PolicySource source;
  private final PolicyStore store;
  private final SyncLock lock;
  private final RunMemory memory;
  private final Bookkeeping books;
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
  /// @param agent which version of the agent this is: what another one found to agree is compared
  ///   again
  public record Options(
      Rules rules,
      Mode mode,
      boolean differences,
      int concurrency,
      Duration lockWait,
      String agent) {}

  /// Everything a run uses; `progress` may be [Progress#NONE].
  ///
  /// @param statuses whom to tell; nobody where the policies come from files
  public Synchronizer(
      PolicySource source,
      PolicyStore store,
      SyncLock lock,
      RunMemory memory,
      Optional<StatusSink> statuses,
      Options options,
      StopSign stop,
      Clock clock,
      Progress progress) {
    this.source = source;
    this.store = store;
    this.lock = lock;
    this.memory = memory;
    this.books = new Bookkeeping(memory, statuses, clock, progress);
    this.planner = new Planner(options.rules());
    this.options = options;
    this.stop = stop;
    this.clock = clock;
    this.progress = progress;
  }

  /// What a run found.
  ///
  /// @param feed the digest of the feed
  /// @param memory what earlier runs left for this one
  /// @param remarks what could not be found out, where that does no harm
  private record Situation(
      Digest feed, Expected expected, Plan plan, Memory memory, List<String> remarks) {}

  /// Runs once. Everything that can go wrong outside is an answer, never an exception.
  public SyncResult run() {
    try {
      progress.step("reading the feed and the cluster");
      var remarks = new ArrayList<String>();
      var sight = Sight.of(this::read, store::list, () -> recallIfPossible(remarks));
      if (sight.recalled().memory().stillIn(agreement(sight.feed().digest(), sight.actual()))) {
        LOG.atDebug().log("Nothing has changed since feed and cluster agreed");
        return unchanged(sight);
      }
      var situation = judge(sight, expected(sight.feed()), remarks);
      if (options.mode() == Mode.DRY_RUN) {
        return preview(situation);
      }
      return situation.plan().actions().isEmpty()
          ? finish(situation, List.of(), situation.memory().agreement())
          : write(sight.feed(), situation.expected());
    } catch (FeedProblem e) {
      var late = stop.reason().filter(reason -> reason == Stop.DEADLINE);
      return refused(late.map(reason -> reason + ": ").orElse("") + e.reason(), e.retryable());
    } catch (ClusterUnavailable e) {
      return refused(e.failure());
    }
  }

  /// @param parsed what that feed says
  private SyncResult write(Feed feed, Expected parsed) {
    progress.step("waiting for the Lease");
    var asked = stop.nanoTime();
    return switch (lock.acquire(least(options.lockWait(), stop.remaining()))) {
      case SyncLock.Attempt.HeldBy(var holder) ->
          signalled() ? new SyncResult.Stopped() : new SyncResult.Skipped(holder, feed.digest());
      case SyncLock.Attempt.Unavailable(var failure) -> refused(failure);
      case SyncLock.Attempt.Taken(var held) -> {
        try (held) {
          // Whoever had the Lease before us may have written since we looked, and from a newer
          // feed.
          var stale = since(asked).compareTo(FRESH) >= 0;
          progress.step("reading the cluster");
          var sight = Sight.of(stale ? this::read : () -> feed, store::list, memory::recall);
          var same = sight.feed().digest().equals(feed.digest());
          var found = judge(sight, same ? parsed : expected(sight.feed()), List.of());
          var noted = books.begin(found.plan(), found.memory());
          var situation =
              new Situation(found.feed(), found.expected(), found.plan(), noted, found.remarks());
          var outcomes = execute(found.plan(), () -> stopReason(held));
          yield finish(situation, outcomes, agreed(situation, outcomes));
        }
      }
    };
  }

  private static Expected expected(Feed feed) {
    return PolicyReader.read(feed.manifests());
  }

  private Situation judge(Sight sight, Expected expected, List<String> remarks) {
    var recalled = sight.recalled();
    var circumstances =
        new Circumstances(
            recalled.memory().ownedBefore(),
            recalled.memory().repairs().at(clock.instant()),
            recalled.approval(),
            identical(expected, sight.actual()));
    var plan = planner.plan(expected, sight.actual(), circumstances);
    return new Situation(
        sight.feed().digest(), expected, plan, recalled.memory(), List.copyOf(remarks));
  }

  private Optional<Agreement> agreement(Digest feed, Actual actual) {
    return Agreement.on(feed, actual, options.rules(), options.agent());
  }

  private SyncResult unchanged(Sight sight) {
    var plan = Agreement.unchanged(sight.actual(), options.rules());
    return new SyncResult.Finished(
        plan, List.of(), sight.feed().digest(), Map.of(), Optional.empty(), List.of());
  }

  /// What feed and cluster agree on after all writes, if they do; the cluster itself is asked, as a
  /// webhook may have changed what we wrote.
  private Optional<Agreement> agreed(Situation situation, List<Outcome> outcomes) {
    if (stop.reason().isPresent() || !outcomes.stream().allMatch(Synchronizer::settled)) {
      return Optional.empty();
    }
    progress.step("reading the cluster again");
    try {
      var actual = store.list();
      var plan = planner.plan(situation.expected(), actual, Circumstances.NONE);
      return plan.equals(Agreement.unchanged(actual, options.rules()))
          ? agreement(situation.feed(), actual)
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

  /// Before anything is written it does no harm not to know: a run that goes on to write asks
  /// again.
  private RunMemory.Recalled recallIfPossible(List<String> remarks) {
    try {
      return memory.recall();
    } catch (ClusterUnavailable e) {
      remarks.add("what earlier runs noted could not be read: " + e.failure().reason());
      return RunMemory.Recalled.NOTHING;
    }
  }

  /// Policies that are not ours and that an apply would leave as they are, but for our marks. One
  /// of which that cannot be found out is not among them.
  private Set<PolicyId> identical(Expected expected, Actual actual) {
    var identical = new HashSet<PolicyId>();
    for (var adoption : planner.adoptions(expected, actual)) {
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

  private Feed read() {
    return Feed.of(source.read());
  }

  private Duration since(long nanoTime) {
    return Duration.ofNanos(stop.nanoTime() - nanoTime);
  }

  private SyncResult preview(Situation situation) {
    var outcomes = execute(situation.plan(), stop::reason);
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
    return finished(situation, outcomes, changes, situation.remarks());
  }

  private Difference difference(Action.Write write) {
    var preview = store.preview(write);
    return Difference.between(preview.before(), preview.after());
  }

  private List<Outcome> execute(Plan plan, Supplier<Optional<Stop>> stopReason) {
    progress.step(options.mode() == Mode.DRY_RUN ? "asking the API server" : "writing");
    var execution =
        new Execution(
            store,
            planner,
            options.mode(),
            options.concurrency(),
            stopReason,
            () -> mayRemove(plan),
            progress);
    var outcomes = execution.run(plan);
    OutcomeLog.of(outcomes, options.mode());
    return outcomes;
  }

  private boolean mayRemove(Plan plan) {
    return options.mode() == Mode.DRY_RUN
        || !(plan.consent() instanceof Consent.Given(var approval))
        || memory.use(approval);
  }

  private SyncResult finish(
      Situation situation, List<Outcome> outcomes, Optional<Agreement> agreement) {
    var remarks = new ArrayList<>(situation.remarks());
    remarks.addAll(
        books.end(situation.expected(), situation.plan(), outcomes, situation.memory(), agreement));
    return finished(situation, outcomes, Map.of(), remarks);
  }

  private SyncResult finished(
      Situation situation,
      List<Outcome> outcomes,
      Map<PolicyId, Difference> changes,
      List<String> remarks) {
    var plan = situation.plan();
    var how =
        plan.consent() instanceof Consent.Missing(var list, _)
            ? Optional.of(new HowToApprove(list, memory.commandToApprove(list)))
            : Optional.<HowToApprove>empty();
    how.ifPresent(approval -> OutcomeLog.withheld(plan, approval));
    return new SyncResult.Finished(plan, outcomes, situation.feed(), changes, how, remarks);
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
