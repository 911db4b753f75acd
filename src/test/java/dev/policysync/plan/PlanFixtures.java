package dev.policysync.plan;

import dev.policysync.plan.managedfields.FieldOwnership;
import dev.policysync.plan.managedfields.OwnershipFixtures;
import dev.policysync.policy.OwnershipAnnotations;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Clusters and live policies for tests, as an agent of `acme/prod-1` finds them.
public final class PlanFixtures {
  public static final SourceName SOURCE = SourceName.of("acme", "prod-1");
  public static final PlannerOptions RULES =
      new PlannerOptions(SOURCE, Adoption.NEVER, RemovalBudget.DEFAULT);
  public static final PlannerOptions ADOPTING =
      new PlannerOptions(SOURCE, Adoption.ALWAYS, RemovalBudget.DEFAULT);

  private PlanFixtures() {}

  public static PolicyId clusterPolicyId(String name) {
    return PolicyId.of(PolicyKind.CLUSTER_POLICY, name);
  }

  /// What an agent of [#SOURCE] applies for that policy, at the best version of its kind.
  public static DesiredPolicy desired(Policy policy) {
    return desired(policy, SOURCE);
  }

  public static DesiredPolicy desired(Policy policy, SourceName source) {
    return DesiredPolicy.of(policy, policy.id().kind().versions().getFirst(), source);
  }

  /// A live policy just as we applied it.
  public static LivePolicy applied(Policy policy) {
    return applied(desired(policy));
  }

  public static LivePolicy applied(DesiredPolicy desiredPolicy) {
    var annotations = new HashMap<String, String>();
    desiredPolicy
        .manifest()
        .mapping("metadata")
        .mapping("annotations")
        .fields()
        .keySet()
        .forEach(name ->
            annotations.put(
                name,
                desiredPolicy
                    .manifest()
                    .mapping("metadata")
                    .mapping("annotations")
                    .text(name)
                    .orElse("")));
    return new LivePolicy(
        desiredPolicy.id(),
        version(desiredPolicy.id()),
        1,
        false,
        false,
        annotations,
        OwnershipFixtures.applied(desiredPolicy.manifest()));
  }

  /// A live policy that carries no mark of ours.
  public static LivePolicy unowned(PolicyId id) {
    return new LivePolicy(
        id, version(id), 1, false, false, Map.of(), new FieldOwnership(List.of()));
  }

  /// A live policy as the agent before this one left it: owned, and applied with kubectl.
  public static LivePolicy ownedOnly(PolicyId id) {
    return annotated(unowned(id), OwnershipAnnotations.OWNED_BY, OwnershipAnnotations.OWNER);
  }

  public static LivePolicy annotated(LivePolicy live, String name, String value) {
    var annotations = new HashMap<>(live.annotations());
    annotations.put(name, value);
    return withAnnotations(live, annotations);
  }

  public static LivePolicy without(LivePolicy live, String annotation) {
    var annotations = new HashMap<>(live.annotations());
    annotations.remove(annotation);
    return withAnnotations(live, annotations);
  }

  public static LivePolicy controlled(LivePolicy live) {
    return new LivePolicy(
        live.id(),
        live.objectVersion(),
        live.generation(),
        true,
        live.terminating(),
        live.annotations(),
        live.record());
  }

  /// The same, of which the API server tells that as well.
  public static LivePolicy withStatus(LivePolicy live, LiveStatus liveStatus) {
    return new LivePolicy(
        live.id(),
        live.objectVersion(),
        live.generation(),
        live.controlled(),
        live.terminating(),
        live.annotations(),
        live.record(),
        liveStatus,
        live.content());
  }

  public static LivePolicy terminating(LivePolicy live) {
    return new LivePolicy(
        live.id(),
        live.objectVersion(),
        live.generation(),
        live.controlled(),
        true,
        live.annotations(),
        live.record());
  }

  public static LivePolicy withOwnership(LivePolicy live, FieldOwnership ownership) {
    return new LivePolicy(
        live.id(),
        live.objectVersion(),
        live.generation(),
        live.controlled(),
        live.terminating(),
        live.annotations(),
        ownership);
  }

  public static LivePolicy at(LivePolicy live, ObjectVersion objectVersion) {
    return new LivePolicy(
        live.id(),
        objectVersion,
        live.generation(),
        live.controlled(),
        live.terminating(),
        live.annotations(),
        live.record());
  }

  /// The version that fixtures give an object.
  public static ObjectVersion version(PolicyId id) {
    return new ObjectVersion("uid of " + id.key(), "1");
  }

  /// A cluster that has every kind, at its best version, and these policies.
  public static ActualPolicies cluster(LivePolicy... policies) {
    return cluster(Arrays.asList(policies));
  }

  public static ActualPolicies cluster(Collection<LivePolicy> policies) {
    var kinds = new EnumMap<PolicyKind, Listing>(PolicyKind.class);
    for (var kind : PolicyKind.all()) {
      var live = policies.stream().filter(policy -> policy.id().kind() == kind).toList();
      kinds.put(kind, new Listing.Listed(kind.versions().getFirst(), live));
    }
    return new ActualPolicies(kinds);
  }

  /// That cluster, knowing something else of one kind.
  public static ActualPolicies with(
      ActualPolicies actualPolicies, PolicyKind kind, Listing listing) {
    var kinds = new EnumMap<>(actualPolicies.kinds());
    kinds.put(kind, listing);
    return new ActualPolicies(kinds);
  }

  public static Listing.Absent absent() {
    return new Listing.Absent("its CRD is not installed");
  }

  public static Listing.Unlistable unlistable() {
    return new Listing.Unlistable(forbidden());
  }

  public static Failure forbidden() {
    return new Failure(Failure.Cause.FORBIDDEN, "RBAC forbids it");
  }

  /// What is noted while removals are pending that were withheld when so many policies were owned.
  public static RemovalHistory ownedBefore(int owned) {
    return new RemovalHistory(Optional.of(owned), Optional.empty(), List.of());
  }

  private static LivePolicy withAnnotations(LivePolicy live, Map<String, String> annotations) {
    return new LivePolicy(
        live.id(),
        live.objectVersion(),
        live.generation(),
        live.controlled(),
        live.terminating(),
        annotations,
        live.record());
  }
}
