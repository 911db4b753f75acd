package dev.policysync.sync;

import dev.policysync.plan.InSyncFingerprint;
import dev.policysync.plan.Plan;
import dev.policysync.plan.PlanContext;
import dev.policysync.plan.Planner;
import dev.policysync.plan.history.KnownGenerations;
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
import java.util.Set;
import java.util.stream.Collectors;
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

  /// What the next run is to know.
  ///
  /// @param agreement what feed and cluster agree on, if they do
  /// @param knownGenerations those of the policies that are in sync
  record Found(Optional<Agreement> agreement, KnownGenerations knownGenerations) {}

  /// What there is after all writes; the cluster itself is asked, as a webhook may have changed
  /// what we wrote.
  ///
  /// @param untouched what was listed of kinds that the run does not write
  /// @param version of the feed that it was made of
  Found reached(
      PlannedRun plannedRun,
      Map<PolicyKind, Listing> untouched,
      Optional<FeedVersion> version,
      List<Outcome> outcomes) {
    if (plannedRun.older().isPresent()) {
      return new Found(plannedRun.agreement(), plannedRun.state().knownGenerations());
    }
    // What was in sync before is, and what was written is compared by the next run.
    var none = new Found(Optional.empty(), plannedRun.state().knownGenerations());
    if (stop.reason().isPresent()) {
      return none;
    }
    try {
      var actualPolicies = store.list(untouched);
      var plan =
          planner.plan(
              plannedRun.expectedPolicies(),
              actualPolicies,
              PlanContext.NONE,
              plannedRun.plan().actions());
      var repaired =
          outcomes.stream()
              .filter(Outcome.Done.class::isInstance)
              .map(outcome -> outcome.action().id())
              .collect(Collectors.toSet());
      var known = plannedRun.inSync(plan, actualPolicies, repaired);
      return plannedRun.mayAgree(repaired)
              && outcomes.stream().allMatch(InSyncCheck::settled)
              && plan.equals(InSyncFingerprint.unchanged(actualPolicies, options.plannerOptions()))
          ? new Found(agreement(plannedRun.feed(), version, actualPolicies), known)
          : new Found(Optional.empty(), known);
    } catch (ClusterUnavailable e) {
      LOG.atDebug()
          .addKeyValue("reason", e.failure().reason())
          .log("Cluster could not be read again, the next run compares everything");
      return none;
    }
  }

  /// What there is where nothing is to be written. A run with nothing to write records nothing,
  /// unless it took dry runs to find that out, which the next run is to be spared, or the
  /// generations of the policies were not known.
  Found idle(RunInputs runInputs, PlannedRun plannedRun) {
    var actualPolicies = runInputs.actualPolicies();
    var known =
        runInputs.stored().there()
            ? plannedRun.inSync(plannedRun.plan(), actualPolicies, Set.of())
            : plannedRun.state().knownGenerations();
    var compared =
        !plannedRun.disowned().isEmpty() || !known.equals(plannedRun.state().knownGenerations());
    var inSync = InSyncFingerprint.unchanged(actualPolicies, options.plannerOptions());
    return compared && plannedRun.mayAgree(Set.of()) && plannedRun.plan().equals(inSync)
        ? new Found(agreement(plannedRun.feed(), runInputs.feed().version(), actualPolicies), known)
        : new Found(plannedRun.agreement(), known);
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
