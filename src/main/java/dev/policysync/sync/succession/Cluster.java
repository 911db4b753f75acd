package dev.policysync.sync.succession;

import dev.policysync.plan.ActualPolicies;
import dev.policysync.plan.DesiredPolicy;
import dev.policysync.plan.Listing;
import dev.policysync.plan.LivePolicy;
import dev.policysync.plan.OwnershipVerdict;
import dev.policysync.plan.SourceName;
import dev.policysync.plan.Successors;
import dev.policysync.policy.OwnershipAnnotations;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The live policies of a cluster, as an agent of this source finds them.
///
/// @param live the live policies by their id
/// @param forms the live successors by the policy that they were made from, whoever owns them
/// @param source our source
record Cluster(
    ActualPolicies actualPolicies,
    Map<PolicyId, LivePolicy> live,
    Map<PolicyId, List<LivePolicy>> forms,
    SourceName source) {
  Cluster(ActualPolicies actualPolicies, SourceName source) {
    this(
        actualPolicies,
        actualPolicies.byId(),
        Successors.byLegacy(actualPolicies.byId().values()),
        source);
  }

  Optional<LivePolicy> policy(PolicyId id) {
    return Optional.ofNullable(live.get(id));
  }

  Listing listing(PolicyKind kind) {
    return actualPolicies.of(kind);
  }

  boolean isOurs(LivePolicy there) {
    return OwnershipVerdict.of(there, source) instanceof OwnershipVerdict.Ours;
  }

  /// Returns whether an agent applied the live policy, whichever its source.
  boolean isApplied(LivePolicy there) {
    return isOurs(there)
        || OwnershipVerdict.of(there, source) instanceof OwnershipVerdict.OtherSource;
  }

  /// Returns whether the live policy is as we would apply it, apart from drift, which every run
  /// repairs.
  boolean has(Policy policy) {
    return applied(policy).isPresent();
  }

  /// Returns whether the live policy is as we would apply it, and nobody else changed it.
  boolean isInSync(Policy policy) {
    return applied(policy)
        .map(LivePolicy::ownership)
        .filter(ownership -> ownership.intruders().isEmpty())
        .flatMap(
            ownership -> desired(policy).filter(desired -> ownership.matches(desired.manifest())))
        .isPresent();
  }

  private Optional<LivePolicy> applied(Policy policy) {
    return policy(policy.id())
        .filter(this::isOurs)
        .filter(there ->
            desired(policy)
                .map(DesiredPolicy::signature)
                .equals(there.annotation(OwnershipAnnotations.APPLIED)));
  }

  /// Returns the policy as we would apply it; present for each live policy, as its kind is listed.
  private Optional<DesiredPolicy> desired(Policy policy) {
    return listing(policy.id().kind()) instanceof Listing.Listed(var version, _)
        ? Optional.of(DesiredPolicy.of(policy, version, source))
        : Optional.empty();
  }
}
