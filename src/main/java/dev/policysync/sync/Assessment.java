package dev.policysync.sync;

import dev.policysync.plan.Action;
import dev.policysync.plan.Actual;
import dev.policysync.plan.Agreement;
import dev.policysync.plan.Circumstances;
import dev.policysync.plan.FeedHistory;
import dev.policysync.plan.Plan;
import dev.policysync.plan.Planner;
import dev.policysync.policy.Digest;
import dev.policysync.policy.Expected;
import dev.policysync.policy.PolicyId;
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
final class Assessment {
  private static final Logger LOG = LoggerFactory.getLogger(Assessment.class);

  private static final Optional<PolicyStore.Preview> NO_PREVIEW = Optional.empty();

  private final PolicyStore store;
  private final Planner planner;
  private final HazardWatch hazards;
  private final Foresight foresight;
  private final ShieldWatch shields;
  private final Bookkeeping books;
  private final Synchronizer.Options options;
  private final StopSign stop;
  private final Clock clock;

  Assessment(
      PolicyStore store,
      Planner planner,
      HazardWatch hazards,
      Foresight foresight,
      ShieldWatch shields,
      Bookkeeping books,
      Synchronizer.Options options,
      StopSign stop,
      Clock clock) {
    this.store = store;
    this.planner = planner;
    this.hazards = hazards;
    this.foresight = foresight;
    this.shields = shields;
    this.books = books;
    this.options = options;
    this.stop = stop;
    this.clock = clock;
  }

  /// Whether nothing has changed since feed and cluster were found to agree.
  boolean stillAgreed(Sight sight) {
    return sight.recalled().memory().stillIn(agreement(sight.feed().digest(), sight.actual()));
  }

  /// @param expected what that feed says
  Situation of(Sight sight, Expected expected, List<String> remarks) {
    return of(sight, expected, remarks, List.of(), sight.recalled().memory(), Set.of());
  }

  /// The same once more, under the Lease.
  ///
  /// @param expected what the feed says now
  /// @param before what was made of what was there before
  Situation again(Sight sight, Expected expected, Situation before) {
    return sight.feed().digest().equals(before.feed())
        ? of(sight, expected, List.of(), before.plan().actions(), before.memory(), before.seen())
        : of(sight, expected, List.of(), List.of(), sight.recalled().memory(), before.seen());
  }

  private Situation of(
      Sight sight,
      Expected expected,
      List<String> remarks,
      List<Action> earlier,
      Memory first,
      Set<PolicyId> seenBefore) {
    var recalled = sight.recalled();
    var seen = sight.actual().byId();
    var uids = seen.values().stream().map(live -> live.version().uid()).collect(Collectors.toSet());
    var removals = recalled.memory().removals().at(clock.instant()).seeing(uids);
    var circumstances =
        new Circumstances(
            removals,
            recalled.memory().repairs().at(clock.instant()),
            recalled.approval(),
            identical(expected, sight.actual()));
    var asked = planner.plan(expected, sight.actual(), circumstances, earlier);
    var older =
        books
            .wentBack(sight.feed().digest(), first, recalled.memory())
            .filter(_ -> !asked.actions().isEmpty() || !asked.withheld().isEmpty());
    var plan = older.isPresent() ? asked.withholdingAll(Plan.Guard.OLDER_FEED) : asked;
    var hazards = this.hazards.of(sight.feed().digest(), expected, plan);
    var safe = plan.withholding(HazardWatch.withheld(hazards));
    var found = foresight.of(safe, expected, sight.actual());
    var guarded =
        options.rules().enforcing().guard(safe, found.tightenings(), recalled.enforcing());
    var shielded = shields.guard(guarded, expected, sight.actual(), seenBefore);
    var said = new ArrayList<>(remarks);
    said.addAll(HazardWatch.warnings(hazards));
    older.ifPresent(feed -> said.add(text(feed)));
    return new Situation(
        sight.feed().digest(),
        expected,
        shielded,
        found.writes(),
        seen.keySet(),
        recalled.memory(),
        removals,
        recalled.memory().failures().lasting(clock.instant()),
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

  private Optional<Agreement> agreement(Digest feed, Actual actual) {
    return Agreement.on(feed, actual, options.rules(), options.agent());
  }

  /// What feed and cluster agree on after all writes, if they do; the cluster itself is asked, as a
  /// webhook may have changed what we wrote.
  Optional<Agreement> reached(Situation situation, List<Outcome> outcomes) {
    if (situation.older().isPresent()) {
      return situation.memory().agreement();
    }
    if (stop.reason().isPresent() || !outcomes.stream().allMatch(Assessment::settled)) {
      return Optional.empty();
    }
    try {
      var actual = store.list();
      var plan =
          planner.plan(
              situation.expected(), actual, Circumstances.NONE, situation.plan().actions());
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
}
