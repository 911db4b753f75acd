package dev.policysync.plan;

import static dev.policysync.plan.PlanFixtures.RULES;
import static dev.policysync.plan.PlanFixtures.annotated;
import static dev.policysync.plan.PlanFixtures.applied;
import static dev.policysync.plan.PlanFixtures.at;
import static dev.policysync.plan.PlanFixtures.cluster;
import static dev.policysync.plan.PlanFixtures.clusterPolicyId;
import static dev.policysync.plan.PlanFixtures.controlled;
import static dev.policysync.plan.PlanFixtures.ownedOnly;
import static dev.policysync.plan.PlanFixtures.terminating;
import static dev.policysync.plan.PlanFixtures.unlistable;
import static dev.policysync.plan.PlanFixtures.unowned;
import static dev.policysync.plan.PlanFixtures.with;
import static dev.policysync.plan.PlanFixtures.withOwnership;
import static dev.policysync.plan.PlanFixtures.without;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.plan.managedfields.FieldOwnership;
import dev.policysync.plan.managedfields.FieldSet;
import dev.policysync.plan.managedfields.ManagedFields;
import dev.policysync.plan.managedfields.PathElement;
import dev.policysync.policy.Digest;
import dev.policysync.policy.OwnershipAnnotations;
import dev.policysync.policy.PolicyFixtures;
import dev.policysync.policy.PolicyKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class InSyncFingerprintTest {
  private static final Digest FEED = Digest.of(new byte[] {1});
  private static final LivePolicy A = applied(PolicyFixtures.clusterPolicy("a"));
  private static final LivePolicy B = applied(PolicyFixtures.clusterPolicy("b"));
  private static final PolicyKind KIND = A.id().kind();

  @ParameterizedTest
  @MethodSource
  void isAnotherOneAfterAnyChangeThatMightMatter(ActualPolicies changed) {
    assertThat(on(changed)).isPresent().isNotEqualTo(on(cluster(A, B)));
  }

  static Stream<Named<ActualPolicies>> isAnotherOneAfterAnyChangeThatMightMatter() {
    return Stream.of(
        Named.of("removed", cluster(A)),
        Named.of("added", cluster(A, B, applied(PolicyFixtures.clusterPolicy("c")))),
        Named.of("marked by hand", cluster(A, B, ownedOnly(clusterPolicyId("c")))),
        Named.of(
            "re-created",
            cluster(A, at(B, new ObjectVersion("another", B.objectVersion().resourceVersion())))),
        Named.of("under another name", cluster(A, copyOf(B, "c"))),
        Named.of("its spec changed", cluster(A, generation(B, 2))),
        Named.of("has an owner", cluster(A, controlled(B))),
        Named.of("terminating", cluster(A, terminating(B))),
        Named.of("mark lost", cluster(A, without(B, OwnershipAnnotations.OWNED_BY))),
        Named.of(
            "signature changed", cluster(A, annotated(B, OwnershipAnnotations.APPLIED, "forged"))),
        Named.of("signature lost", cluster(A, without(B, OwnershipAnnotations.APPLIED))),
        Named.of(
            "source changed", cluster(A, annotated(B, OwnershipAnnotations.SOURCE, "acme/other"))),
        Named.of("to be kept", cluster(A, annotated(B, OwnershipAnnotations.PRUNE, "disabled"))),
        Named.of("a field taken", cluster(A, withOwnership(B, lackingAField(B)))),
        Named.of("ownership lost", cluster(A, withOwnership(B, new FieldOwnership(List.of())))),
        Named.of("a field of the spec added", cluster(A, withOwnership(B, intrudedUpon(B)))),
        Named.of("at another version", with(cluster(A, B), KIND, listed("v2"))),
        Named.of("kind gone", with(cluster(A, B), KIND, PlanFixtures.absent())));
  }

  @ParameterizedTest
  @MethodSource
  void staysTheSameWhateverElseChanges(ActualPolicies changed) {
    assertThat(on(changed)).isPresent().isEqualTo(on(cluster(A, B)));
  }

  static Stream<Named<ActualPolicies>> staysTheSameWhateverElseChanges() {
    var touched = at(B, new ObjectVersion(B.objectVersion().uid(), "4711"));
    return Stream.of(
        Named.of("listed in another order", with(cluster(A), KIND, listed("v1", B, A))),
        Named.of("status written", cluster(A, touched)),
        Named.of("status owned by somebody", cluster(A, withOwnership(B, withStatus(B)))),
        Named.of("annotated by somebody", cluster(A, annotated(B, "note", "seen"))),
        Named.of("another's policy", cluster(A, B, unowned(clusterPolicyId("c")))));
  }

  /// Runs within an hour of an agreement do not ask whether a kind is served that was not listed.
  @Test
  void isAnotherOneOnceAKindIsNoLongerExcluded() {
    var excluded = with(cluster(A), PolicyKind.DELETING_POLICY, new Listing.Excluded());
    var absent = with(cluster(A), PolicyKind.DELETING_POLICY, PlanFixtures.absent());

    assertThat(on(absent)).isPresent().isNotEqualTo(on(excluded));
  }

  @Test
  void dependsOnTheFeedTheAgentAndItsSource() {
    var actualPolicies = cluster(A, B);
    var source =
        new PlannerOptions(SourceName.of("acme", "other"), RULES.adoption(), RULES.removals());

    assertThat(
            InSyncFingerprint.current(
                Digest.of(new byte[] {2}), actualPolicies, RULES, "0.1.0", Set.of()))
        .isNotEqualTo(on(actualPolicies));
    assertThat(InSyncFingerprint.current(FEED, actualPolicies, RULES, "0.2.0", Set.of()))
        .isNotEqualTo(on(actualPolicies));
    assertThat(InSyncFingerprint.current(FEED, actualPolicies, source, "0.1.0", Set.of()))
        .isNotEqualTo(on(actualPolicies));
  }

  @Test
  void isAnotherOneWhereAnotherKindIsServed() {
    var noValidating = with(cluster(), PolicyKind.VALIDATING_POLICY, PlanFixtures.absent());
    var noMutating = with(cluster(), PolicyKind.MUTATING_POLICY, PlanFixtures.absent());

    assertThat(on(noValidating)).isPresent().isNotEqualTo(on(noMutating));
  }

  @Test
  void isImpossibleWhereAKindCouldNotBeListed() {
    assertThat(on(with(cluster(A, B), KIND, unlistable()))).isEmpty();
  }

  @Test
  void isThePlanThatDoesNothingAndHasNothingToSay() {
    var actualPolicies = cluster(A, B, unowned(clusterPolicyId("c")));
    var expectedPolicies =
        PolicyFixtures.feed(PolicyFixtures.clusterPolicy("a"), PolicyFixtures.clusterPolicy("b"));

    var plan = new Planner(RULES).plan(expectedPolicies, actualPolicies, PlanContext.NONE);

    assertThat(plan).isEqualTo(InSyncFingerprint.unchanged(actualPolicies, RULES));
    assertThat(plan.unchanged()).containsExactly(A.id(), B.id());
  }

  @Test
  void isNotThePlanThatHasSomethingToSay() {
    var expectedPolicies = PolicyFixtures.feed(PolicyFixtures.clusterPolicy("a"));
    var kept = cluster(A, annotated(B, OwnershipAnnotations.PRUNE, "disabled"));
    var going = cluster(A, terminating(B));
    var copied = cluster(A, copyOf(A, "b"));

    assertThat(new Planner(RULES).plan(expectedPolicies, kept, PlanContext.NONE))
        .isNotEqualTo(InSyncFingerprint.unchanged(kept, RULES));
    assertThat(new Planner(RULES).plan(expectedPolicies, going, PlanContext.NONE))
        .isNotEqualTo(InSyncFingerprint.unchanged(going, RULES));
    assertThat(new Planner(RULES).plan(expectedPolicies, copied, PlanContext.NONE))
        .isNotEqualTo(InSyncFingerprint.unchanged(copied, RULES));
  }

  private static Optional<InSyncFingerprint> on(ActualPolicies actualPolicies) {
    return InSyncFingerprint.current(FEED, actualPolicies, RULES, "0.1.0", Set.of());
  }

  private static Listing.Listed listed(String version, LivePolicy... policies) {
    return new Listing.Listed(version, policies.length == 0 ? List.of(A, B) : List.of(policies));
  }

  private static LivePolicy generation(LivePolicy live, long generation) {
    return new LivePolicy(
        live.id(),
        live.objectVersion(),
        generation,
        live.controlled(),
        live.terminating(),
        live.annotations(),
        live.record());
  }

  private static LivePolicy copyOf(LivePolicy live, String name) {
    return new LivePolicy(
        clusterPolicyId(name),
        live.objectVersion(),
        live.generation(),
        live.controlled(),
        live.terminating(),
        live.annotations(),
        live.record());
  }

  private static FieldOwnership withStatus(LivePolicy live) {
    var entries = new ArrayList<>(live.ownership().entries());
    var status = new FieldSet(false, Map.of(new PathElement.Field("status"), FieldSet.LEAF));
    entries.add(new ManagedFields("kyverno", "Update", "kyverno.io/v1", "status", status));
    return new FieldOwnership(entries);
  }

  private static FieldOwnership lackingAField(LivePolicy live) {
    var own = live.ownership().entries().getFirst();
    var spec = new PathElement.Field("spec");
    var fields = Map.<PathElement, FieldSet>of(spec, new FieldSet(false, Map.of()));
    return new FieldOwnership(
        List.of(
            new ManagedFields(
                own.manager(),
                own.operation(),
                own.apiVersion(),
                "",
                new FieldSet(false, fields))));
  }

  private static FieldOwnership intrudedUpon(LivePolicy live) {
    var spec = new PathElement.Field("spec");
    var background =
        Map.<PathElement, FieldSet>of(new PathElement.Field("background"), FieldSet.LEAF);
    var fields = new FieldSet(false, Map.of(spec, new FieldSet(false, background)));
    var entries = new ArrayList<>(live.ownership().entries());
    entries.add(new ManagedFields("kubectl-edit", "Update", "kyverno.io/v1", "", fields));
    return new FieldOwnership(entries);
  }
}
