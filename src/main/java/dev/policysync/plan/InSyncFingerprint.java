package dev.policysync.plan;

import dev.policysync.policy.Digest;
import dev.policysync.policy.OwnershipAnnotations;
import dev.policysync.policy.PolicyKind;
import java.util.Optional;

/// That a cluster was found to be just as a feed wants it, in two digests. While neither changes
/// there is nothing to compare, and not even a reason to parse the feed.
///
/// @param feed of its bytes
/// @param cluster of all that the comparison depends on, beside the feed: the agent and its source,
///   which kinds are excluded, which are served in which versions, and of each policy with our mark
///   its identity, uid, generation, marks and field ownership
public record InSyncFingerprint(Digest feed, Digest cluster) {
  @Override
  public boolean equals(Object other) {
    return other instanceof InSyncFingerprint on
        && feed.equals(on.feed)
        && cluster.equals(on.cluster);
  }

  @Override
  public int hashCode() {
    return 31 * feed.hashCode() + cluster.hashCode();
  }

  /// What there would have to have been an agreement on, for there to be nothing to do now.
  ///
  /// @param agent who compares, `0.1.0`: another version may judge otherwise
  /// @return empty where a kind could not be listed: nobody knows what is there
  public static Optional<InSyncFingerprint> on(
      Digest feed, ActualPolicies actualPolicies, PlannerOptions plannerOptions, String agent) {
    if (!actualPolicies.complete()) {
      return Optional.empty();
    }
    var facts = Digest.builder();
    facts.add(agent);
    facts.add(plannerOptions.source().text());
    for (var kind : PolicyKind.all()) {
      if (actualPolicies.of(kind) instanceof Listing.Listed(var version, var policies)) {
        facts.add(kind.qualified());
        facts.add(version);
        policies.stream()
            .filter(policy -> policy.annotation(OwnershipAnnotations.OWNED_BY).isPresent())
            .sorted((one, other) -> one.id().compareTo(other.id()))
            .forEach(policy -> add(policy, facts));
      } else if (actualPolicies.of(kind) instanceof Listing.Excluded) {
        facts.add("excluded");
        facts.add(kind.qualified());
      }
    }
    return Optional.of(new InSyncFingerprint(feed, facts.digest()));
  }

  /// The plan of a run that finds this agreement: every policy of ours is expected, and in sync. A
  /// plan that equals it is an agreement; nothing in any other one may go unsaid.
  public static Plan unchanged(ActualPolicies actualPolicies, PlannerOptions plannerOptions) {
    var ours =
        actualPolicies.byId().values().stream()
            .filter(policy ->
                OwnershipVerdict.of(policy, plannerOptions.source())
                    instanceof OwnershipVerdict.Ours)
            .map(LivePolicy::id)
            .toList();
    return new PlanDraft()
        .unchanged(ours)
        .successions(Successors.settled(actualPolicies.byId().values(), plannerOptions.source()))
        .plan();
  }

  private static void add(LivePolicy policy, Digest.Builder facts) {
    facts.add(policy.id().key());
    facts.add(policy.objectVersion().uid());
    facts.add(Long.toString(policy.generation()));
    facts.add(Boolean.toString(policy.controlled()));
    facts.add(Boolean.toString(policy.terminating()));
    OwnershipAnnotations.ON_POLICIES.forEach(mark -> facts.add(policy.annotation(mark).orElse("")));
    facts.add(policy.content());
    facts.add(policy.record().text());
  }
}
