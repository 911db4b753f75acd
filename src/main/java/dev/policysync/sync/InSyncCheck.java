package dev.policysync.sync;

import dev.policysync.plan.ActualPolicies;
import dev.policysync.plan.InSyncFingerprint;
import dev.policysync.plan.KnownGenerations;
import dev.policysync.plan.Listing;
import dev.policysync.plan.Plan;
import dev.policysync.plan.PlanContext;
import dev.policysync.plan.Planner;
import dev.policysync.policy.Digest;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.feed.Feed;
import dev.policysync.policy.feed.FeedVersion;
import dev.policysync.sync.execution.Cancellation;
import dev.policysync.sync.execution.ClusterUnavailable;
import dev.policysync.sync.execution.Outcome;
import dev.policysync.sync.execution.PolicyStore;
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

/// Checks whether feed and cluster are in sync, before a run compares them in detail and after its
/// writes (promise 7).
final class InSyncCheck {
  private static final Logger LOG = LoggerFactory.getLogger(InSyncCheck.class);

  private final PolicyStore store;
  private final Planner planner;
  private final SyncOptions options;
  private final String agent;
  private final Set<PolicyKind> watched;
  private final Cancellation stop;
  private final Clock clock;

  /// @param conversions decide in which form a policy of the feed is expected
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
    this.watched = conversions.watched();
    this.agent = watched.isEmpty() ? options.agent() : options.agent() + " converts";
    this.stop = stop;
    this.clock = clock;
  }

  /// Returns whether nothing has changed since feed and cluster were in sync.
  boolean stillAgreed(FirstLook firstLook) {
    return firstLook
        .stored()
        .state()
        .stillIn(
            fingerprint(firstLook.digest(), firstLook.actualPolicies()),
            options.plannerOptions().source());
  }

  /// Returns the lists of the kinds that the plan does not write. A kind that was absent is left
  /// out, so that the run checks for it again: later runs rely on the recorded absence for an hour.
  static Map<PolicyKind, Listing> untouched(Plan plan, ActualPolicies actualPolicies) {
    var untouched = new EnumMap<PolicyKind, Listing>(actualPolicies.kinds());
    plan.actions().forEach(action -> untouched.remove(action.id().kind()));
    untouched.values().removeIf(Listing.Absent.class::isInstance);
    return untouched;
  }

  /// What a run records for the next run.
  ///
  /// @param agreement the record that feed and cluster are in sync, if they are
  /// @param knownGenerations the generations of the policies that are in sync
  record NextState(Optional<Agreement> agreement, KnownGenerations knownGenerations) {}

  /// Returns what to record after all writes. The written kinds are listed again, because a webhook
  /// may have changed what this run wrote.
  ///
  /// @param untouched the lists of the kinds that the run does not write
  /// @param version the version of the feed that the plan was made from
  NextState afterWrites(
      PlannedRun plannedRun,
      Map<PolicyKind, Listing> untouched,
      Optional<FeedVersion> version,
      List<Outcome> outcomes) {
    if (plannedRun.older().isPresent()) {
      return new NextState(
          plannedRun.agreement(), plannedRun.recorded().state().knownGenerations());
    }
    var unlisted = new NextState(Optional.empty(), plannedRun.knownGenerations());
    if (stop.reason().isPresent()) {
      return unlisted;
    }
    try {
      var actualPolicies = store.list(untouched);
      var plan =
          planner.plan(
              plannedRun.expectedPolicies(),
              actualPolicies,
              PlanContext.NONE,
              plannedRun.plan().actions());
      var known =
          plannedRun
              .knownGenerations()
              .union(written(outcomes, plan, actualPolicies))
              .retainLive(actualPolicies);
      return plannedRun.mayAgree()
              && outcomes.stream().allMatch(InSyncCheck::settled)
              && inSync(plan, actualPolicies, known)
          ? new NextState(agreement(plannedRun.feed(), version, actualPolicies), known)
          : new NextState(Optional.empty(), known);
    } catch (ClusterUnavailable e) {
      LOG.atDebug()
          .addKeyValue("reason", e.failure().reason())
          .log("Cluster could not be read again, the next run compares everything");
      return unlisted;
    }
  }

  /// Returns the generations of the policies that the run wrote and that are in sync afterwards.
  private static KnownGenerations written(
      List<Outcome> outcomes, Plan plan, ActualPolicies actualPolicies) {
    var written =
        outcomes.stream()
            .filter(InSyncCheck::settled)
            .map(outcome -> outcome.action().id())
            .collect(Collectors.toSet());
    written.retainAll(plan.unchanged());
    return KnownGenerations.of(
        actualPolicies.byId().values().stream()
            .filter(live -> written.contains(live.id()))
            .toList());
  }

  /// Returns whether every policy of ours is expected and in sync, at a known generation. If its
  /// generation has changed since this run compared it, the next run has to compare it again.
  private boolean inSync(Plan plan, ActualPolicies actualPolicies, KnownGenerations known) {
    var live = actualPolicies.byId();
    return plan.equals(InSyncFingerprint.unchanged(actualPolicies, options.plannerOptions()))
        && plan.unchanged().stream().map(live::get).allMatch(policy -> known.contains(policy));
  }

  /// Returns what to record if there is nothing to write. Such a run records something new only if
  /// it needed dry runs to find that out, which the next run need not repeat, if the generations of
  /// the policies were unknown, or if the last run could not tell whether policies may be moved.
  NextState idle(RunInputs runInputs, PlannedRun plannedRun) {
    var actualPolicies = runInputs.actualPolicies();
    var known =
        runInputs.stored().leaseExists()
            ? plannedRun.knownGenerations()
            : plannedRun.recorded().state().knownGenerations();
    var compared =
        !plannedRun.disowned().isEmpty()
            || (plannedRun.conversions().isPresent()
                && plannedRun.recorded().state().agreement().isEmpty())
            || !known.equals(plannedRun.recorded().state().knownGenerations());
    return compared && plannedRun.mayAgree() && inSync(plannedRun.plan(), actualPolicies, known)
        ? new NextState(
            agreement(plannedRun.feed(), runInputs.feed().version(), actualPolicies), known)
        : new NextState(plannedRun.agreement(), known);
  }

  private static boolean settled(Outcome outcome) {
    return outcome instanceof Outcome.Done || outcome instanceof Outcome.Settled;
  }

  /// Returns the agreement with new times and versions, after a run that read everything anew.
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
    return InSyncFingerprint.current(
        feed, actualPolicies, options.plannerOptions(), agent, watched);
  }
}
