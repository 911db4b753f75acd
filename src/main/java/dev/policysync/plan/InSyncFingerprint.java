package dev.policysync.plan;

import dev.policysync.policy.Digest;
import dev.policysync.policy.OwnershipAnnotations;
import dev.policysync.policy.PolicyKind;
import java.util.Optional;
import java.util.Set;

/// Two digests that record that a cluster was in sync with a feed. While both are unchanged, there
/// is nothing to compare, and the feed need not even be parsed.
///
/// @param feed the digest of the feed's bytes
/// @param cluster the digest of everything else that the comparison depends on: the agent and its
///   source, the excluded kinds, the served kinds and their versions, and for each policy with our
///   owned-by annotation its identity, uid, generation, ownership annotations and field ownership
public record InSyncFingerprint(Digest feed, Digest cluster) {
  @Override
  public boolean equals(Object other) {
    return other instanceof InSyncFingerprint fingerprint
        && feed.equals(fingerprint.feed)
        && cluster.equals(fingerprint.cluster);
  }

  @Override
  public int hashCode() {
    return 31 * feed.hashCode() + cluster.hashCode();
  }

  /// Returns the fingerprint of the current state. If a recorded fingerprint is equal, there is
  /// nothing to do.
  ///
  /// @param agent the version of the agent, `0.1.0`; another version may decide differently
  /// @param watched unowned policies of these kinds count, too
  /// @return empty if a kind could not be listed, because part of the cluster is unknown then
  public static Optional<InSyncFingerprint> current(
      Digest feed,
      ActualPolicies actualPolicies,
      PlannerOptions plannerOptions,
      String agent,
      Set<PolicyKind> watched) {
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
            .filter(policy ->
                watched.contains(kind)
                    || policy.annotation(OwnershipAnnotations.OWNED_BY).isPresent())
            .sorted((one, other) -> one.id().compareTo(other.id()))
            .forEach(policy -> add(policy, facts));
      } else if (actualPolicies.of(kind) instanceof Listing.Excluded) {
        facts.add("excluded");
        facts.add(kind.qualified());
      }
    }
    return Optional.of(new InSyncFingerprint(feed, facts.digest()));
  }

  /// Returns the plan of a run that finds this fingerprint recorded: every policy of ours is
  /// expected and in sync. Only a run with a plan equal to this one may record a fingerprint; every
  /// other plan has something to report.
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
        .successions(Successors.settled(actualPolicies.byId().values(), plannerOptions))
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
