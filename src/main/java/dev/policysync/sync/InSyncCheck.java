package dev.policysync.sync;

import dev.policysync.plan.InSyncFingerprint;
import dev.policysync.plan.Plan;
import dev.policysync.plan.PlanContext;
import dev.policysync.plan.Planner;
import dev.policysync.plan.live.ActualPolicies;
import dev.policysync.plan.live.Listing;
import dev.policysync.policy.Digest;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.feed.Feed;
import dev.policysync.policy.feed.FeedVersion;
import dev.policysync.sync.execution.Cancellation;
import dev.policysync.sync.execution.ClusterUnavailable;
import dev.policysync.sync.execution.Outcome;
import dev.policysync.sync.execution.PolicyStore;
import dev.policysync.sync.state.Agreement;
import dev.policysync.sync.succession.Conversions;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Whether feed and cluster agree, before a run has looked at either in detail and after its writes
/// (promise 7).
final class InSyncCheck {
  private static final Logger LOG = LoggerFactory.getLogger(InSyncCheck.class);

  private final PolicyStore store;
  private final Planner planner;
  private final SyncOptions options;
  private final String agent;
  private final Cancellation stop;
  private final Clock clock;

  /// @param conversions that decide in which form a feed is wanted
  InSyncCheck(
      PolicyStore store,
      Planner planner,
      SyncOptions options,
      Conversions conversions,
      Cancellation stop,
      Clock clock) {
    this.store = store;
    this.planner = planner;
    this.options = options;
    this.agent =
        conversions instanceof Conversions.Apply ? options.agent() + " converts" : options.agent();
    this.stop = stop;
    this.clock = clock;
  }

  /// Whether nothing has changed since they were found to agree.
  boolean stillAgreed(FirstLook firstLook) {
    return firstLook
        .stored()
        .state()
        .stillIn(
            fingerprint(firstLook.digest(), firstLook.actualPolicies()),
            options.plannerOptions().source());
  }

  /// What was listed of kinds that the plan does not write. One that was absent is looked for
  /// again: the agreement lets the runs of an hour believe it.
  static Map<PolicyKind, Listing> untouched(Plan plan, ActualPolicies actualPolicies) {
    var untouched = new EnumMap<PolicyKind, Listing>(actualPolicies.kinds());
    plan.actions().forEach(action -> untouched.remove(action.id().kind()));
    untouched.values().removeIf(Listing.Absent.class::isInstance);
    return untouched;
  }

  /// What they agree on after all writes, if they do; the cluster itself is asked, as a webhook may
  /// have changed what we wrote.
  ///
  /// @param untouched what was listed of kinds that the run does not write
  /// @param version of the feed that it was made of
  Optional<Agreement> reached(
      PlannedRun plannedRun,
      Map<PolicyKind, Listing> untouched,
      Optional<FeedVersion> version,
      List<Outcome> outcomes) {
    if (plannedRun.older().isPresent()) {
      return plannedRun.agreement();
    }
    if (stop.reason().isPresent()
        || !plannedRun.executed()
        || !outcomes.stream().allMatch(InSyncCheck::settled)) {
      return Optional.empty();
    }
    try {
      var actualPolicies = store.list(untouched);
      var plan =
          planner.plan(
              plannedRun.expectedPolicies(),
              actualPolicies,
              PlanContext.NONE,
              plannedRun.plan().actions());
      return plan.equals(InSyncFingerprint.unchanged(actualPolicies, options.plannerOptions()))
          ? agreement(plannedRun.feed(), version, actualPolicies)
          : Optional.empty();
    } catch (ClusterUnavailable e) {
      LOG.atDebug()
          .addKeyValue("reason", e.failure().reason())
          .log("Cluster could not be read again, the next run compares everything");
      return Optional.empty();
    }
  }

  /// What they agree on where nothing is to be written. Who has nothing to write notes nothing,
  /// unless it took dry runs to find that out, which the next run is to be spared.
  Optional<Agreement> idle(RunInputs runInputs, PlannedRun plannedRun) {
    var actualPolicies = runInputs.actualPolicies();
    var inSync = InSyncFingerprint.unchanged(actualPolicies, options.plannerOptions());
    return !plannedRun.disowned().isEmpty()
            && plannedRun.executed()
            && plannedRun.plan().equals(inSync)
        ? agreement(plannedRun.feed(), runInputs.feed().version(), actualPolicies)
        : plannedRun.agreement();
  }

  private static boolean settled(Outcome outcome) {
    return outcome instanceof Outcome.Done || outcome instanceof Outcome.Settled;
  }

  /// The same agreement, found once more by a run that asked for everything anew.
  Agreement renewed(Agreement agreement, FirstLook firstLook) {
    return new Agreement(
        agreement.fingerprint(),
        firstLook.feed().flatMap(Feed::version),
        served(firstLook.actualPolicies()),
        now());
  }

  private Optional<Agreement> agreement(
      Digest feed, Optional<FeedVersion> version, ActualPolicies actualPolicies) {
    return fingerprint(feed, actualPolicies)
        .map(on -> new Agreement(on, version, served(actualPolicies), now()));
  }

  private static Map<PolicyKind, String> served(ActualPolicies actualPolicies) {
    var versions = new EnumMap<PolicyKind, String>(PolicyKind.class);
    actualPolicies
        .kinds()
        .forEach((kind, listing) -> {
          if (listing instanceof Listing.Listed(var version, _)) {
            versions.put(kind, version);
          }
        });
    return versions;
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.SECONDS);
  }

  private Optional<InSyncFingerprint> fingerprint(Digest feed, ActualPolicies actualPolicies) {
    return InSyncFingerprint.on(feed, actualPolicies, options.plannerOptions(), agent);
  }
}
