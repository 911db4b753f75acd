package dev.policysync.endtoend;

import static dev.policysync.harness.Feeds.clusterPolicy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.harness.Agent;
import dev.policysync.harness.Feeds;
import dev.policysync.policy.PolicyKind;
import dev.policysync.testcluster.AgedLease;
import dev.policysync.testcluster.AgentTraces;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.KubeconfigFile;
import dev.policysync.testcluster.Sandbox;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Runs with a kubeconfig that names no namespace, beside the agent of the cluster: all are under
/// its one Lease (promise 9).
class LaptopIT extends EndToEnd {
  private Sandbox sandbox;
  private AgentTraces traces;
  private String lease;
  private Agent pod;

  @BeforeEach
  void haveALaptop(Sandbox sandbox) throws IOException {
    this.sandbox = sandbox;
    traces = new AgentTraces(cluster.admin());
    traces.removeAll();
    lease =
        "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases/kyverno-policy-sync-lock";
    pod =
        new Agent(cluster, insights.environment(), folder.resolve("installed"))
            .with("NAMESPACE", namespace);
    laptopOf(cluster.adminToken());
  }

  @AfterEach
  void removeTraces() {
    traces.removeAll();
  }

  private void laptopOf(String token) throws IOException {
    var kubeconfig =
        new KubeconfigFile()
            .cluster("test", cluster)
            .user("me", token)
            .context("test", "test", "me", "")
            .write(folder.resolve("kubeconfig"));
    agent.with("KUBECONFIG", kubeconfig.toString());
  }

  @Test
  void removesNothingThatThePodWithheld() {
    insights.expects(policies(10));
    assertThat(pod.run().exitCode()).isZero();
    insights.expects(policies(5));
    assertThat(pod.run().exitCode()).isEqualTo(3);

    var run = agent.run();

    assertThat(run.exitCode()).as(run.all()).isEqualTo(3);
    assertThat(texts(run, "removed")).isEmpty();
    assertThat(run.summary().text("namespace")).contains(namespace);
    assertThat(run.summary().text("namespaceReason")).contains("the agent's Lease is there");
    assertThat(live("clusterpolicies", "p9").fields()).isNotEmpty();
    assertThat(cluster.admin().get(LEASE).status()).as("a Lease in default").isEqualTo(404);
  }

  @Test
  void countsItsRemovalsWithThoseOfThePod() {
    insights.expects(policies(10));
    assertThat(pod.run().exitCode()).isZero();
    insights.expects(policies(8));
    assertThat(texts(pod.run(), "removed")).hasSize(2);
    insights.expects(policies(6));

    var run = agent.run();

    assertThat(run.exitCode()).as(run.all()).isEqualTo(3);
    assertThat(texts(run, "removed")).isEmpty();
  }

  @Test
  void writesNothingWhileThePodIsAtWork() {
    insights.expects(policies(1));
    pod.run();
    hold(lease);
    insights.expects(policies(2));

    var run = agent.with("LOCK_WAIT", "0s").run();

    assertThat(run.exitCode()).as(run.all()).isZero();
    assertThat(run.summary().text("skipped").orElse("")).contains("pod-x7k2p holds the Lease");
    assertThat(exists("clusterpolicies", "p1")).isFalse();
  }

  @Test
  void takesTheLeaseOfTheCronJobsNamespaceBeforeItsFirstRun() {
    traces.cronJob(namespace);
    insights.expects(policies(1));

    var run = agent.run();

    assertThat(run.exitCode()).as(run.all()).isZero();
    assertThat(cluster.admin().get(lease).status()).isEqualTo(200);
    assertThat(run.summary().text("namespaceReason")).contains("the agent's CronJob is there");
  }

  @Test
  void isRefusedWhereSeveralNamespacesMayBeTheAgents() {
    traces.cronJob(namespace);
    traces.lease("default");
    insights.expects(policies(1));

    var refused = agent.run();
    var preview = agent.run("sync", "--dry-run");
    var named = agent.run("--namespace", namespace);

    assertThat(refused.exitCode()).as(refused.all()).isEqualTo(2);
    assertThat(errors(refused))
        .contains(
            "NAMESPACE (--namespace) is required: several namespaces have a Lease or CronJob of the"
                + " agent: default (Lease), "
                + namespace
                + " (CronJob); add --namespace with the one in which the agent runs");
    assertThat(preview.exitCode()).as(preview.all()).isZero();
    assertThat(preview.summary().text("namespace")).contains(namespace);
    assertThat(preview.summary().items("warnings").toString())
        .contains("a run that writes is refused from here: several namespaces");
    assertThat(named.exitCode()).as(named.all()).isZero();
    assertThat(named.summary().text("namespaceReason")).contains("set by NAMESPACE or --namespace");
  }

  @Test
  void isRefusedWhereItMayNotSeeWhetherThereIsAnAgent() throws IOException {
    traces.lease(namespace);
    insights.expects(policies(1));
    laptopOf(sandbox.tokenOf("developer", rightsOnPolicies()));

    var log = cluster.auditLog();
    var refused = agent.run();
    var preview = agent.run("diff");

    assertThat(refused.exitCode()).as(refused.all()).isEqualTo(2);
    assertThat(errors(refused))
        .contains(
            "NAMESPACE (--namespace) is required: no Lease or CronJob of the agent was found, and"
                + " to list cronjobs.batch and leases.coordination.k8s.io in all namespaces is"
                + " forbidden; add --namespace with the namespace of the agent");
    assertThat(preview.exitCode()).as(preview.all()).isZero();
    assertThat(preview.stdout())
        .contains(
            "ClusterPolicy/p0  to apply",
            "! a run that writes is refused from here: no Lease or CronJob",
            "Namespace: insights-agent (the default; no Lease or CronJob of the agent was found");
    assertThat(log.writes()).noneMatch(entry -> entry.userAgent().startsWith("policy-sync/"));
  }

  @Test
  void checkAndStatusSayWhichNamespaceTheyLookAt() {
    insights.expects(policies(1));
    pod.run();
    traces.cronJob(namespace);

    var check = agent.run("check");
    var status = agent.run("status");

    var found = namespace + " (the agent's CronJob and Lease are there)";
    assertThat(check.stdout()).contains("namespace", found);
    assertThat(check.stdout()).contains(namespace + "/kyverno-policy-sync-lock is free");
    assertThat(status.stdout())
        .contains(
            "Namespace   " + found,
            "(" + namespace + "/kyverno-policy-sync-lock)",
            "(CronJob " + namespace + "/kyverno-policy-sync)");

    traces.lease("default");

    assertThat(agent.run("check").stdout())
        .contains("a run that writes is refused: several namespaces have a Lease or CronJob");
    var doubtful = agent.run("status");
    assertThat(doubtful.exitCode()).isEqualTo(1);
    assertThat(doubtful.stdout())
        .contains(
            "! A sync from here is refused: it is unclear which namespace is the agent's\n"
                + "    several namespaces");
  }

  private void hold(String path) {
    cluster
        .admin()
        .merge(
            path + "?fieldManager=test",
            Documents.yaml(
                """
                {spec: {holderIdentity: pod-x7k2p, leaseDurationSeconds: 60, acquireTime: "%s",
                        renewTime: "2026-01-01T00:00:00.000000Z"}}
                """
                    .formatted(AgedLease.microTime(Instant.now()))))
        .ok();
  }

  private static String policies(int count) {
    return Feeds.of(
        IntStream.range(0, count)
            .mapToObj(number -> clusterPolicy("p" + number, "Audit"))
            .toArray(String[]::new));
  }

  private static Sandbox.Rule[] rightsOnPolicies() {
    return Stream.concat(
            Stream.of(
                new Sandbox.Rule(
                    "coordination.k8s.io", List.of("leases"), List.of("get", "create", "update"))),
            PolicyKind.all().stream()
                .map(kind ->
                    new Sandbox.Rule(
                        kind.group(),
                        List.of(kind.plural()),
                        List.of("list", "get", "create", "patch", "delete"))))
        .toArray(Sandbox.Rule[]::new);
  }

  private static String errors(Agent.Run run) {
    return run.summary().mappings("errors").stream()
        .map(error -> error.text("reason").orElse(""))
        .reduce("", String::concat);
  }
}
