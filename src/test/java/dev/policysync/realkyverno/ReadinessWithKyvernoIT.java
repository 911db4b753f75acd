package dev.policysync.realkyverno;

import static dev.policysync.harness.Feeds.clusterPolicy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.harness.Feeds;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.testcluster.AgedLease;
import dev.policysync.testcluster.RawApi;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What Kyverno itself says of policies that it can and cannot execute, and what a run makes of it
/// (promise 15).
class ReadinessWithKyvernoIT extends WithKyverno {
  private static final Duration LONG = Duration.ofMinutes(11);
  private static final PolicyId READY = PolicyId.of(PolicyKind.CLUSTER_POLICY, "ready");
  private static final PolicyId BLIND = PolicyId.of(PolicyKind.VALIDATING_POLICY, "blind");

  /// Kyverno's own ClusterRoles let it see no such requests.
  private static final String UNSEEN =
      """
      apiVersion: policies.kyverno.io/v1
      kind: ValidatingPolicy
      metadata: {name: blind}
      spec:
        validationActions: [Audit]
        matchConstraints:
          resourceRules:
          - {apiGroups: [certificates.k8s.io], apiVersions: [v1], operations: [CREATE],
             resources: [certificatesigningrequests]}
        validations:
        - {expression: "object.metadata.name != ''", message: "a name is required"}
      """;

  @Test
  void quotesWhyKyvernoIsNotReadyForAPolicy() {
    insights.expects(Feeds.of(clusterPolicy("ready", "Audit"), UNSEEN));
    var first = agent.run();
    awaitReady(READY);
    await("Kyverno to say what it lacks", () -> !failing(BLIND).isEmpty());
    List.of(READY, BLIND).forEach(this::wasWrittenLongAgo);
    notedLongAgo(BLIND);

    var run = agent.run();
    var status = agent.run("status");

    assertThat(first.exitCode()).as(first.all()).isZero();
    assertThat(run.exitCode()).as(run.all()).isEqualTo(1);
    assertThat(policiesIn(run, "notInForce")).containsExactly("ValidatingPolicy/blind");
    assertThat(run.summary().items("notInForce").toString())
        .contains("Kyverno reports: ", "ermission");
    assertThat(status.exitCode()).isEqualTo(1);
    assertThat(status.stdout())
        .contains("Policies    2 expected, 1 in force, 1 not in force", "Kyverno reports: ");
  }

  private List<Value.Mapping> failing(PolicyId id) {
    return conditions(id).stream()
        .filter(condition -> condition.text("status").orElse("").equals("False"))
        .toList();
  }

  private List<Value.Mapping> conditions(PolicyId id) {
    return cluster
        .admin()
        .get(path(id))
        .ok()
        .mapping("status")
        .mapping("conditionStatus")
        .mappings("conditions");
  }

  private void wasWrittenLongAgo(PolicyId id) {
    AgedLease.written(cluster.admin(), path(id), LONG);
  }

  /// Kyverno keeps the time of a condition that stays as it is.
  private void notedLongAgo(PolicyId id) {
    var then = Instant.now().minus(LONG).truncatedTo(ChronoUnit.SECONDS).toString();
    var aged =
        conditions(id).stream()
            .<Value>map(condition -> condition.with("lastTransitionTime", then))
            .toList();
    var status =
        Value.Mapping.EMPTY.with(
            "conditionStatus", Value.Mapping.EMPTY.with("conditions", new Value.Sequence(aged)));
    cluster.admin().merge(path(id) + "/status", Value.Mapping.EMPTY.with("status", status)).ok();
  }

  private static String path(PolicyId id) {
    return RawApi.path(id, id.kind().versions().getFirst());
  }
}
