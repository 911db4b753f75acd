package dev.policysync.drift;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.plan.Action;
import dev.policysync.policy.PolicyKind;
import dev.policysync.remote.cluster.policy.ClusterPolicies;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.KindExamples;
import dev.policysync.testcluster.RealCluster;
import dev.policysync.testcluster.Sandbox;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Every kind, and everything that others do to a policy of it.
@RealCluster
class DriftIT {
  /// An annotation that every example is given.
  static final String NOTE = "policies.kyverno.io/title";

  private static final Map<PolicyKind, Schema> SCHEMAS = new EnumMap<>(PolicyKind.class);

  private static Sandbox sandbox;
  private static ClusterPolicies policies;

  @BeforeAll
  static void listOnce(Sandbox all) {
    sandbox = all;
    policies = new ClusterPolicies(all.cluster().connect(all.cluster().adminToken()));
    policies.list();
  }

  static Stream<Arguments> drift() {
    return cells(true);
  }

  static Stream<Arguments> noDrift() {
    return cells(false);
  }

  private static Stream<Arguments> cells(boolean drift) {
    return PolicyKind.all().stream()
        .flatMap(kind ->
            Stream.of(ForeignWrite.values())
                .filter(what -> what.isDrift() == drift && what.concerns(kind))
                .map(what -> Arguments.of(kind, what)));
  }

  @ParameterizedTest
  @MethodSource("drift")
  void driftIsSeenAndRevertedByOneApply(PolicyKind kind, ForeignWrite what) {
    var driftedPolicy = applied(kind);

    what.with(driftedPolicy);

    assertThat(driftedPolicy.disowned()).as("what it did").isNotEmpty();
    assertThat(driftedPolicy.cause()).contains(Action.Cause.DRIFTED);
    driftedPolicy.repair();
    assertThat(driftedPolicy.inSync()).isTrue();
    assertThat(driftedPolicy.wrong()).isEmpty();
    assertThat(driftedPolicy.disowned()).isEmpty();
    var repaired = driftedPolicy.read();
    driftedPolicy.repair();
    assertThat(driftedPolicy.read()).isEqualTo(repaired);
  }

  @ParameterizedTest
  @MethodSource("noDrift")
  void otherForeignWritesAreNoDrift(PolicyKind kind, ForeignWrite what) {
    var driftedPolicy = applied(kind);

    what.with(driftedPolicy);

    assertThat(driftedPolicy.wrong()).isEmpty();
    assertThat(driftedPolicy.inSync()).isTrue();
  }

  /// `Deny` and `Warn` exclude each other, and a forced apply alone leaves the item of another in a
  /// set.
  @Test
  void aChangeThatConflictsWithTheAppliedFieldsIsReverted() {
    var driftedPolicy = applied(PolicyKind.VALIDATING_ADMISSION_POLICY_BINDING);
    var deny = Documents.yaml("spec: {validationActions: [Deny]}");
    driftedPolicy.admin().merge(driftedPolicy.path() + "?fieldManager=kubectl-edit", deny).ok();

    driftedPolicy.repair();

    assertThat(driftedPolicy.inSync()).isTrue();
    assertThat(driftedPolicy.wrong()).isEmpty();
    assertThat(driftedPolicy.disowned()).isEmpty();
  }

  /// Annotations and labels by which Kyverno goes are content: added, changed, and hidden.
  @ParameterizedTest
  @EnumSource
  void whatKyvernoGoesByIsContent(Deception deception) {
    var driftedPolicy = applied(PolicyKind.CLUSTER_POLICY);
    var before = driftedPolicy.read().mapping("metadata");
    var added =
        Documents.yaml(
            "metadata: {labels: {cleanup.kyverno.io/ttl: 1h}, annotations:"
                + " {pod-policies.kyverno.io/autogen-controllers: none, note: theirs}}");
    driftedPolicy.admin().merge(driftedPolicy.path() + "?fieldManager=kubectl-edit", added).ok();
    if (deception == Deception.HIDDEN) {
      var entries = Value.Mapping.EMPTY.with("managedFields", before.field("managedFields").get());
      driftedPolicy
          .admin()
          .merge(driftedPolicy.path(), Value.Mapping.EMPTY.with("metadata", entries))
          .ok();
    }

    assertThat(driftedPolicy.cause()).contains(Action.Cause.DRIFTED);
    driftedPolicy.repair();

    assertThat(driftedPolicy.inSync()).isTrue();
    var after = driftedPolicy.read().mapping("metadata");
    assertThat(after.mapping("labels")).isEqualTo(before.mapping("labels"));
    assertThat(after.mapping("annotations").without("note"))
        .isEqualTo(before.mapping("annotations"));
    assertThat(after.mapping("annotations").text("note")).contains("theirs");
  }

  enum Deception {
    NONE,
    /// The entry of who wrote it is cut out of the managed fields.
    HIDDEN
  }

  /// The one change of a spec by an ordinary write that no managed field tells of.
  @Test
  void reorderedNamedItemsShowOnlyInTheGeneration() {
    var driftedPolicy = applied(PolicyKind.GENERATING_POLICY);
    var before = driftedPolicy.read();
    var spec = before.mapping("spec");
    var variables = new ArrayList<>(spec.items("variables"));
    var reversed = spec.with("variables", new Value.Sequence(variables.reversed()));

    driftedPolicy
        .admin()
        .put(driftedPolicy.path() + "?fieldManager=kubectl-edit", before.with("spec", reversed))
        .ok();

    assertThat(
            ObjectDiff.between(
                before.mapping("metadata"), driftedPolicy.read().mapping("metadata")))
        .extracting(ObjectDiff::where)
        .containsExactlyInAnyOrder("generation", "resourceVersion");
    assertThat(driftedPolicy.inSync()).isTrue();
    assertThat(driftedPolicy.wrong()).isNotEmpty();
    assertThat(driftedPolicy.wrongOnRecord()).isEmpty();
    driftedPolicy.repair();
    assertThat(driftedPolicy.wrong()).isEmpty();
  }

  private static DriftedPolicy applied(PolicyKind kind) {
    var schema = SCHEMAS.computeIfAbsent(kind, of -> Schema.of(sandbox.admin(), of));
    var example = KindExamples.of(kind, sandbox.namespace("shop"));
    var metadata = example.content().mapping("metadata");
    var annotations = metadata.mapping("annotations").with(NOTE, "An example");
    var policy =
        Documents.policy(
            example.content().with("metadata", metadata.with("annotations", annotations)));
    return DriftedPolicy.applied(sandbox.admin(), policies, schema, policy);
  }
}
