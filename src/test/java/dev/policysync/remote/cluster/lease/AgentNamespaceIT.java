package dev.policysync.remote.cluster.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.plan.Failure;
import dev.policysync.remote.cluster.ClusterConnection;
import dev.policysync.remote.cluster.ClusterConnection.Origin;
import dev.policysync.sync.AgentNamespace;
import dev.policysync.testcluster.AgentTraces;
import dev.policysync.testcluster.RealCluster;
import dev.policysync.testcluster.Sandbox;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Where a run with a kubeconfig looks for the agent's Lease, by what is in a real cluster and by
/// what its user may read.
@RealCluster
class AgentNamespaceIT {
  private static final Sandbox.Rule LEASES =
      new Sandbox.Rule("coordination.k8s.io", List.of("leases"), List.of("list"));
  private static final Sandbox.Rule CRON_JOBS =
      new Sandbox.Rule("batch", List.of("cronjobs"), List.of("list"));

  private Sandbox sandbox;
  private AgentTraces traces;
  private String agent;
  private String shop;

  @BeforeEach
  void enter(Sandbox sandbox) {
    this.sandbox = sandbox;
    traces = new AgentTraces(sandbox.admin());
    traces.removeAll();
    agent = sandbox.namespace("agent");
    shop = sandbox.namespace("shop");
  }

  @AfterEach
  void removeTraces() {
    traces.removeAll();
  }

  @Test
  void isWhereTheAgentsLeaseIs() {
    traces.lease(agent);

    assertThat(asAdmin()).isEqualTo(new AgentNamespace(agent, "the agent's Lease is there"));
  }

  @Test
  void isWhereTheCronJobIsBeforeItsFirstRun() {
    traces.cronJob(agent);

    assertThat(asAdmin()).isEqualTo(new AgentNamespace(agent, "the agent's CronJob is there"));
  }

  @Test
  void isTheAgentsWhateverTheContextSays() {
    traces.cronJob(agent);
    traces.lease(agent);

    for (var context : List.of(shop, "default", agent)) {
      assertThat(find(sandbox.cluster().adminToken(), Optional.of(context)))
          .isEqualTo(new AgentNamespace(agent, "the agent's CronJob and Lease are there"));
    }
  }

  @Test
  void isInDoubtWhereALeaseWasLeftElsewhere() {
    traces.cronJob(shop);
    traces.lease(agent);

    var found = find(sandbox.cluster().adminToken(), Optional.of(agent));

    assertThat(found.name()).isEqualTo(shop);
    assertThat(reason(found))
        .isEqualTo(
            "several namespaces have a Lease or CronJob of the agent: "
                + agent
                + " (Lease), "
                + shop
                + " (CronJob); add --namespace with the one in which the agent runs, and delete the"
                + " Lease kyverno-policy-sync-lock in the others");
  }

  @Test
  void isTheUsualOneInAClusterWithoutAnAgent() {
    assertThat(asAdmin())
        .isEqualTo(
            new AgentNamespace(
                "insights-agent", "the default; the cluster has no Lease or CronJob of the agent"));
    assertThat(find(sandbox.cluster().adminToken(), Optional.of("default")).name())
        .as("some tools write default into each context")
        .isEqualTo("insights-agent");
  }

  @Test
  void isThatOfTheContextInAClusterWithoutAnAgent() {
    assertThat(find(sandbox.cluster().adminToken(), Optional.of(shop)))
        .isEqualTo(
            new AgentNamespace(
                shop,
                "that of the kubeconfig's context; the cluster has no Lease or CronJob of the"
                    + " agent"));
  }

  @Test
  void isFoundByEitherTrace() {
    traces.lease(agent);
    traces.cronJob(agent);

    assertThat(find(sandbox.tokenOf("leases", LEASES), Optional.empty()))
        .isEqualTo(new AgentNamespace(agent, "the agent's Lease is there"));
    assertThat(find(sandbox.tokenOf("cronjobs", CRON_JOBS), Optional.empty()))
        .isEqualTo(new AgentNamespace(agent, "the agent's CronJob is there"));
  }

  @Test
  void isInDoubtWhereNothingIsFoundAndNotAllMayBeListed() {
    traces.lease(agent);

    assertThat(reason(find(sandbox.tokenOf("nothing"), Optional.empty())))
        .isEqualTo(
            "no Lease or CronJob of the agent was found, and to list cronjobs.batch and"
                + " leases.coordination.k8s.io in all namespaces is forbidden; add --namespace with"
                + " the namespace of the agent");
    assertThat(reason(find(sandbox.tokenOf("cronjobs", CRON_JOBS), Optional.empty())))
        .contains("to list leases.coordination.k8s.io in all namespaces is forbidden");
  }

  @Test
  void isTheUsualOneWhereOnlyThatMayBeRead() {
    sandbox
        .admin()
        .apply(
            "/api/v1/namespaces/insights-agent?fieldManager=test",
            "{apiVersion: v1, kind: Namespace, metadata: {name: insights-agent}}")
        .ok();
    var token =
        sandbox.tokenOf(
            "reader", new Sandbox.Rule("coordination.k8s.io", List.of("leases"), List.of("get")));

    assertThat(reason(find(token, Optional.empty()))).startsWith("no Lease or CronJob");

    traces.lease("insights-agent");

    assertThat(find(token, Optional.empty()))
        .isEqualTo(new AgentNamespace("insights-agent", "the agent's Lease is there"));
  }

  @Test
  void isInDoubtWhereTheApiServerDoesNotAnswer() {
    var found = find("no token", Optional.empty());

    assertThat(found.objection().map(Failure::cause)).contains(Failure.Cause.UNAUTHORIZED);
    assertThat(found.objection().filter(Failure::retryable)).isPresent();
  }

  @Test
  void isThePodsOwnInAPod() {
    traces.lease(agent);
    var pod = sandbox.cluster().connect(sandbox.tokenOf("nothing"));

    assertThat(new AgentNamespaceSearch(pod).find())
        .isEqualTo(new AgentNamespace("default", "the Pod's own namespace"));
  }

  private AgentNamespace asAdmin() {
    return find(sandbox.cluster().adminToken(), Optional.empty());
  }

  private AgentNamespace find(String token, Optional<String> context) {
    var connection = sandbox.cluster().connect(token);
    var laptop =
        new ClusterConnection(
            connection.server(),
            connection.http(),
            new Origin.Kubeconfig("work", context),
            () -> {});
    return new AgentNamespaceSearch(laptop).find();
  }

  private static String reason(AgentNamespace found) {
    return found.objection().map(Failure::reason).orElse("no objection");
  }
}
