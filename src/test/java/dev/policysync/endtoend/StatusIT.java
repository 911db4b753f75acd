package dev.policysync.endtoend;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static dev.policysync.harness.Feeds.clusterPolicy;
import static dev.policysync.harness.Feeds.validatingPolicy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Json;
import dev.policysync.base.Value;
import dev.policysync.harness.Agent;
import dev.policysync.harness.Feeds;
import dev.policysync.testcluster.Documents;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// `status` by the whole program: what it says of a cluster, and that it writes nothing.
class StatusIT extends EndToEnd {
  private static final String CRON_JOB =
      "/apis/batch/v1/namespaces/default/cronjobs/kyverno-policy-sync";
  private static final String EXCEPTION =
      "/apis/policies.kyverno.io/v1/namespaces/default/policyexceptions/migration";

  private FakeKyverno kyverno;

  @BeforeEach
  void installKyverno() {
    createNamespace("kyverno");
    kyverno = new FakeKyverno(cluster);
    kyverno.install(2, Instant.now());
  }

  @AfterEach
  void removeAll() {
    kyverno.remove();
    cluster.admin().delete(CRON_JOB);
    cluster.admin().delete(EXCEPTION);
  }

  @Test
  void saysThatAllIsWellAndWritesNothing() {
    insights.expects(Feeds.of(clusterPolicy("a", "Audit"), validatingPolicy("b")));
    agent.run();
    cronJob(Instant.now());

    var log = cluster.auditLog();
    var run = agent.run("status");

    assertThat(run.exitCode()).as(run.all()).isZero();
    assertThat(run.stdout())
        .contains(
            ", Kubernetes v1.36.3\n",
            "Source      acme/prod-1\n",
            "Last run    succeeded ",
            " (CronJob default/kyverno-policy-sync)",
            "Lease       free, last taken ",
            " ago (default/kyverno-policy-sync-lock)",
            "Kyverno     v1.19.0, 2 of 2 replicas ready (Deployment"
                + " kyverno/kyverno-admission-controller)",
            "Upgrade     Kyverno 1.20 will not execute 1 of these policies",
            "Policies    2 expected, 2 in force\n")
        .startsWith("All is well: 2 policies in force\n");
    assertThat(log.writes()).noneMatch(entry -> entry.userAgent().startsWith("policy-sync/"));
  }

  @Test
  void tellsEachPolicyThatIsNotAsItShouldBe() throws IOException {
    insights.expects(
        Feeds.of(
            clusterPolicy("edited", "Audit"),
            clusterPolicy("paused", "Audit"),
            clusterPolicy("same", "Audit")));
    agent.run();
    patch(
        "clusterpolicies",
        "edited",
        "[{\"op\": \"remove\", \"path\": \"/spec/rules/0/match\"},"
            + "{\"op\": \"add\", \"path\": \"/spec/rules/0/match\", \"value\": {\"any\": [{\"resources\":"
            + " {\"kinds\": [\"Job\"]}}]}}]");
    merge(
        "/apis/kyverno.io/v1/clusterpolicies/paused?fieldManager=kubectl-annotate",
        "{metadata: {annotations: {policysync.dev/reconcile: disabled}}}");
    create("clusterpolicies", clusterPolicy("taken", "Audit"));
    insights.expects(
        Feeds.of(
            clusterPolicy("edited", "Audit"),
            clusterPolicy("paused", "Audit"),
            clusterPolicy("taken", "Enforce"),
            clusterPolicy("new", "Audit"),
            clusterPolicy("same", "Audit")));

    var log = cluster.auditLog();
    var run = agent.run("status", "-o", "json");

    assertThat(run.exitCode()).as(run.all()).isEqualTo(1);
    var status = json(run);
    assertThat(status.fields().get("expected")).isEqualTo(new Value.Numeric("5"));
    assertThat(status.fields().get("inForce")).isEqualTo(new Value.Numeric("1"));
    assertThat(policies(status, "pending"))
        .containsExactlyInAnyOrder("ClusterPolicy/edited", "ClusterPolicy/new");
    assertThat(status.items("pending").toString()).contains("drifted", "kubectl-edit");
    assertThat(policies(status, "ignored")).containsExactly("ClusterPolicy/paused");
    assertThat(policies(status, "conflicts")).containsExactly("ClusterPolicy/taken");
    assertThat(log.writes()).noneMatch(entry -> entry.userAgent().startsWith("policy-sync/"));
  }

  @Test
  void looksAtTheLeaseTheCronJobApprovalsAndExceptions() {
    insights.expects(clusterPolicy("a", "Audit"));
    agent.run();
    merge(
        LEASE + "?fieldManager=somebody",
        "{spec: {holderIdentity: somebody-else, acquireTime: \"2026-01-01T00:00:00.000000Z\"}}");
    merge(
        LEASE + "?fieldManager=alice",
        "{metadata: {annotations: {policysync.dev/approve-removals: sha256:ab}}}");
    cronJob(Instant.now().minus(9, ChronoUnit.HOURS));
    cluster
        .admin()
        .apply(
            EXCEPTION + "?fieldManager=someone",
            """
            {"apiVersion": "policies.kyverno.io/v1", "kind": "PolicyException",
             "metadata": {"name": "migration"},
             "spec": {"policyRefs": [{"kind": "ValidatingPolicy", "name": "b"}],
                      "expiresAt": "%s"}}
            """
                .formatted(Instant.now().plus(3, ChronoUnit.DAYS).truncatedTo(ChronoUnit.SECONDS)))
        .ok();

    var run = agent.run("status");

    assertThat(run.exitCode()).as(run.all()).isEqualTo(1);
    assertThat(run.stdout())
        .contains(
            "No run can write: the Lease is held by somebody-else, which cannot be a run\n",
            "held by somebody-else for ",
            "Approved    removals, by alice, at ",
            "PolicyException.policies.kyverno.io/default/migration: ends at ",
            "No run has succeeded for more than an hour (CronJob default/kyverno-policy-sync)\n",
            "\nNext\n  kubectl patch lease ");
  }

  @Test
  void isNotWellWhereNobodyKeepsThePoliciesInForce() {
    insights.expects(clusterPolicy("a", "Audit"));
    agent.run();

    var run = agent.run("status");

    assertThat(run.exitCode()).as(run.all()).isEqualTo(1);
    assertThat(run.stdout())
        .contains(
            "No runs are scheduled: there is no CronJob default/kyverno-policy-sync\n",
            "Policies    1 expected, 1 in force\n");
  }

  @Test
  void saysWhatItCouldNotRead() {
    insights.answers(aResponse().withStatus(401));
    var sent = insights.statuses();

    var run = agent.run("status");

    assertThat(run.exitCode()).as(run.all()).isEqualTo(1);
    assertThat(run.stdout())
        .contains(
            "The expected policies could not be read, so the state of the cluster's is unknown\n",
            "returned 401",
            ", Kubernetes v1.36.3");
    assertThat(insights.statuses()).isEqualTo(sent);
  }

  /// The source uses up the time limit; what was read of the cluster before is shown.
  @Test
  void showsTheClusterAlthoughTheSourceDoesNotRespond() {
    insights.answers(aResponse().withFixedDelay(60_000));
    cronJob(Instant.now());

    var run = agent.with("TIMEOUT", "10s").run("status");

    assertThat(run.exitCode()).as(run.all()).isEqualTo(1);
    assertThat(run.stdout())
        .contains(
            "The expected policies could not be read, so the state of the cluster's is unknown\n",
            ", Kubernetes v1.36.3",
            "Last run    succeeded ",
            "Kyverno     v1.19.0, 2 of 2 replicas ready");
  }

  /// A comparison shows only that the policy is missing; the Lease has what the API server said.
  @Test
  void saysWhyTheLastRunCouldNotWriteAPolicy() {
    insights.expects(
        Feeds.of(
            clusterPolicy("a", "Audit"),
            clusterPolicy("broken", "Audit").replace("rules:", "rule:")));
    agent.run();

    var run = agent.run("status");

    assertThat(run.exitCode()).as(run.all()).isEqualTo(1);
    assertThat(run.stdout())
        .startsWith("x 1 policy could not be written, in each run since ")
        .contains("field not declared in schema", "    ClusterPolicy/broken\n");
  }

  @Test
  void saysOnceThatTheClusterRefusesItsToken() {
    var run = agent.as("nobody").run("status");

    assertThat(run.exitCode()).as(run.all()).isEqualTo(1);
    assertThat(run.stdout())
        .startsWith("x The cluster could not be read, so the state of its policies is unknown\n")
        .containsOnlyOnce("HTTP 401");
  }

  /// As the CronJob's controller keeps it, which does not run here.
  private void cronJob(Instant success) {
    var time = success.truncatedTo(ChronoUnit.SECONDS);
    cluster
        .admin()
        .apply(
            CRON_JOB + "?fieldManager=helm&force=true",
            """
            {"apiVersion": "batch/v1", "kind": "CronJob",
             "metadata": {"name": "kyverno-policy-sync"},
             "spec": {"schedule": "4-59/5 * * * *",
                      "jobTemplate": {"spec": {"template": {"spec": {"restartPolicy": "Never",
                        "containers": [{"name": "a", "image": "a"}]}}}}}}
            """)
        .ok();
    merge(
        CRON_JOB + "/status",
        "{status: {lastScheduleTime: \"%s\", lastSuccessfulTime: \"%s\"}}".formatted(time, time));
  }

  private void merge(String path, String yaml) {
    cluster.admin().merge(path, Documents.yaml(yaml)).ok();
  }

  private static Value.Mapping json(Agent.Run run) throws IOException {
    return (Value.Mapping) Json.parse(run.stdout());
  }

  private static List<String> policies(Value.Mapping status, String list) {
    return status.mappings(list).stream().map(note -> note.text("policy").orElseThrow()).toList();
  }
}
