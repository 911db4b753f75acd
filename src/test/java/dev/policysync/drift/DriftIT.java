package dev.policysync.drift;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.cluster.ClusterPolicies;
import dev.policysync.plan.Action;
import dev.policysync.policy.PolicyKind;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.KindExamples;
import dev.policysync.testcluster.RealCluster;
import dev.policysync.testcluster.Sandbox;
import dev.policysync.yaml.Value;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
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
            Stream.of(Interference.values())
                .filter(what -> what.isDrift() == drift && what.concerns(kind))
                .map(what -> Arguments.of(kind, what)));
  }

  @ParameterizedTest
  @MethodSource("drift")
  void isSeenAndUndoneByOneApply(PolicyKind kind, Interference what) {
    var subject = applied(kind);

    what.with(subject);

    assertThat(subject.disowned()).as("what it did").isNotEmpty();
    assertThat(subject.cause()).contains(Action.Cause.DRIFTED);
    subject.repair();
    assertThat(subject.inSync()).isTrue();
    assertThat(subject.wrong()).isEmpty();
    assertThat(subject.disowned()).isEmpty();
    var repaired = subject.read();
    subject.repair();
    assertThat(subject.read()).isEqualTo(repaired);
  }

  @ParameterizedTest
  @MethodSource("noDrift")
  void isNone(PolicyKind kind, Interference what) {
    var subject = applied(kind);

    what.with(subject);

    assertThat(subject.wrong()).isEmpty();
    assertThat(subject.inSync()).isTrue();
  }

  /// `Deny` and `Warn` exclude each other, and a forced apply alone leaves the item of another in a
  /// set.
  @Test
  void isUndoneWhereWhatWasChangedDoesNotGoTogetherWithWhatIsApplied() {
    var subject = applied(PolicyKind.VALIDATING_ADMISSION_POLICY_BINDING);
    var deny = Documents.yaml("spec: {validationActions: [Deny]}");
    subject.admin().merge(subject.path() + "?fieldManager=kubectl-edit", deny).ok();

    subject.repair();

    assertThat(subject.inSync()).isTrue();
    assertThat(subject.wrong()).isEmpty();
    assertThat(subject.disowned()).isEmpty();
  }

  /// The one change of a spec by an ordinary write that no managed field tells of.
  @Test
  void showsInNothingButTheGenerationWhereNamedItemsChangePlaces() {
    var subject = applied(PolicyKind.GENERATING_POLICY);
    var before = subject.read();
    var spec = before.mapping("spec");
    var variables = new ArrayList<>(spec.items("variables"));
    var reversed = spec.with("variables", new Value.Sequence(variables.reversed()));

    subject
        .admin()
        .put(subject.path() + "?fieldManager=kubectl-edit", before.with("spec", reversed))
        .ok();

    assertThat(Change.between(before.mapping("metadata"), subject.read().mapping("metadata")))
        .extracting(Change::where)
        .containsExactlyInAnyOrder("generation", "resourceVersion");
    assertThat(subject.inSync()).isTrue();
    assertThat(subject.wrong()).isNotEmpty();
    assertThat(subject.wrongOnRecord()).isEmpty();
    subject.repair();
    assertThat(subject.wrong()).isEmpty();
  }

  private static Subject applied(PolicyKind kind) {
    var schema = SCHEMAS.computeIfAbsent(kind, of -> Schema.of(sandbox.admin(), of));
    var example = KindExamples.of(kind, sandbox.namespace("shop"));
    var metadata = example.content().mapping("metadata");
    var annotations = metadata.mapping("annotations").with(NOTE, new Value.Text("An example"));
    var policy =
        Documents.policy(
            example.content().with("metadata", metadata.with("annotations", annotations)));
    return Subject.applied(sandbox.admin(), policies, schema, policy);
  }
}
