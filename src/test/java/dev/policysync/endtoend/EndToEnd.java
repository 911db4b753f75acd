package dev.policysync.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.CanonicalJson;
import dev.policysync.base.Value;
import dev.policysync.harness.Agent;
import dev.policysync.harness.FakeInsights;
import dev.policysync.policy.OwnershipAnnotations;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.kyverno.PolicyDependency;
import dev.policysync.remote.cluster.lease.LeaseRunStateStore;
import dev.policysync.testcluster.AgedLease;
import dev.policysync.testcluster.AuditLog;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.RawApi;
import dev.policysync.testcluster.RealCluster;
import dev.policysync.testcluster.Sandbox;
import dev.policysync.testcluster.TestCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// What every test of the whole program needs: the cluster, the remote API, an agent between them,
/// and nothing left behind for the next test.
@RealCluster
public abstract class EndToEnd {
  protected static final String LEASE =
      "/apis/coordination.k8s.io/v1/namespaces/default/leases/kyverno-policy-sync-lock";

  private static final Duration A_WHILE = Duration.ofMinutes(5);

  @TempDir protected Path folder;

  protected TestCluster cluster;
  protected FakeInsights insights;
  protected Agent agent;
  protected AuditLog audit;
  protected String namespace;

  @BeforeEach
  void begin(Sandbox sandbox) throws IOException {
    cluster = sandbox.cluster();
    insights = new FakeInsights();
    agent = new Agent(cluster, insights.environment(), folder.resolve("pod"));
    namespace = sandbox.namespace("e2e");
    audit = cluster.auditLog();
  }

  @AfterEach
  void leaveNothing() {
    insights.close();
    for (var kind : PolicyKind.all()) {
      for (var version : kind.versions()) {
        var prefix = "/apis/" + kind.group() + "/" + version + "/";
        for (var item : cluster.admin().get(prefix + kind.plural()).body().items("items")) {
          if (item instanceof Value.Mapping object) {
            var metadata = object.mapping("metadata");
            var in = metadata.text("namespace").map(name -> "namespaces/" + name + "/").orElse("");
            cluster
                .admin()
                .delete(prefix + in + kind.plural() + "/" + metadata.text("name").orElseThrow());
          }
        }
      }
    }
    cluster.admin().delete(LEASE);
  }

  protected void createNamespace(String name) {
    var metadata = new Value.Mapping(Map.of("name", new Value.Text(name)));
    var reply =
        cluster.admin().post("/api/v1/namespaces", new Value.Mapping(Map.of("metadata", metadata)));
    if (reply.status() != 409) {
      reply.ok();
    }
  }

  /// Somebody took the Lease just now, and renews it no more.
  protected void holdLease(String holder) {
    holdLease(holder, Instant.now());
  }

  protected void holdLease(String holder, Instant acquired) {
    cluster
        .admin()
        .apply(
            LEASE + "?fieldManager=test",
            """
            {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease",
             "metadata": {"name": "kyverno-policy-sync-lock"},
             "spec": {"holderIdentity": "%s", "leaseDurationSeconds": 60,
                      "acquireTime": "%s",
                      "renewTime": "2026-01-01T00:00:00.000000Z", "leaseTransitions": 3}}
            """
                .formatted(holder, AgedLease.microTime(acquired)))
        .ok();
  }

  /// What runs have recorded on the Lease.
  protected Value.Mapping recorded() {
    var annotations = cluster.admin().get(LEASE).ok().mapping("metadata").mapping("annotations");
    return Documents.json(annotations.text(LeaseRunStateStore.MEMORY).orElse("{}"));
  }

  protected void record(Value.Mapping state) {
    var annotations =
        new Value.Mapping(
            Map.of(LeaseRunStateStore.MEMORY, new Value.Text(CanonicalJson.write(state))));
    cluster
        .admin()
        .merge(
            LEASE,
            Value.Mapping.EMPTY.with(
                "metadata", Value.Mapping.EMPTY.with("annotations", annotations)))
        .ok();
  }

  /// Runs until nothing waits for an earlier run, as the CronJob does minutes apart.
  protected Agent.Run settle(String... arguments) {
    var run = agent.run(arguments);
    for (int more = 0; more < 3 && !policiesIn(run, "waiting").isEmpty(); more++) {
      minutesPass();
      run = agent.run(arguments);
    }
    assertThat(policiesIn(run, "waiting")).as(run.all()).isEmpty();
    return run;
  }

  /// Makes what the last runs wrote look older, in place of waiting for it.
  protected void minutesPass() {
    for (var kind : PolicyKind.all()) {
      if (PolicyDependency.isShield(kind)) {
        owned(kind).forEach(path -> AgedLease.written(cluster.admin(), path, A_WHILE));
      }
    }
    var state = recorded();
    if (!state.mapping("waiting").fields().isEmpty()) {
      var then = Instant.now().minus(A_WHILE).truncatedTo(ChronoUnit.SECONDS).toString();
      record(state.with("waiting", state.mapping("waiting").with("changed", then)));
    }
  }

  /// The paths of our objects of that kind.
  private List<String> owned(PolicyKind kind) {
    var version = kind.versions().getFirst();
    return cluster
        .admin()
        .get("/apis/" + kind.group() + "/" + version + "/" + kind.plural())
        .ok()
        .items("items")
        .stream()
        .map(item -> ((Value.Mapping) item).mapping("metadata"))
        .filter(metadata ->
            metadata.mapping("annotations").text(OwnershipAnnotations.OWNED_BY).isPresent())
        .map(metadata ->
            RawApi.path(
                new PolicyId(
                    kind,
                    kind.namespaced() ? metadata.text("namespace") : Optional.empty(),
                    metadata.text("name").orElseThrow()),
                version))
        .toList();
  }

  protected void create(String plural, String yaml) {
    cluster
        .admin()
        .apply(collection(plural) + "/" + name(yaml) + "?fieldManager=someone", yaml)
        .ok();
  }

  protected void patch(String plural, String name, String operations) {
    cluster
        .admin()
        .jsonPatch(collection(plural) + "/" + name + "?fieldManager=kubectl-edit", operations)
        .ok();
  }

  protected boolean exists(String plural, String name) {
    return cluster.admin().get(collection(plural) + "/" + name).status() == 200;
  }

  protected boolean exists(String inNamespace, String plural, String name) {
    var path = "/apis/kyverno.io/v1/namespaces/" + inNamespace + "/" + plural + "/" + name;
    return cluster.admin().get(path).status() == 200;
  }

  protected Value.Mapping live(String plural, String name) {
    return cluster.admin().get(collection(plural) + "/" + name).ok();
  }

  protected String resourceVersion(String plural, String name) {
    return live(plural, name).mapping("metadata").text("resourceVersion").orElseThrow();
  }

  /// The cluster-wide kinds that these tests use.
  private static String collection(String plural) {
    return (plural.equals("clusterpolicies")
            ? "/apis/kyverno.io/v1/"
            : "/apis/policies.kyverno.io/v1/")
        + plural;
  }

  private static String name(String yaml) {
    return yaml.lines()
        .filter(line -> line.startsWith("  name: "))
        .findFirst()
        .orElseThrow()
        .substring("  name: ".length());
  }

  protected static List<String> texts(Agent.Run run, String list) {
    return run.summary().items(list).stream()
        .map(item -> item instanceof Value.Text(var text) ? text : item.toString())
        .toList();
  }

  protected static List<String> policiesIn(Agent.Run run, String list) {
    return run.summary().items(list).stream()
        .map(item -> item instanceof Value.Mapping note ? note.text("policy").orElse("") : "")
        .toList();
  }

  /// `updated ClusterPolicy/team-label drifted`.
  protected static List<String> changes(Agent.Run run) {
    return run.summary().items("changes").stream()
        .map(item ->
            item instanceof Value.Mapping change
                ? change.text("action").orElse("")
                    + " "
                    + change.text("policy").orElse("")
                    + " "
                    + change.text("cause").orElse("")
                : "")
        .toList();
  }

  protected static Value.Mapping named(List<Value.Mapping> statuses, String name) {
    return statuses.stream()
        .filter(status -> status.text("policyName").orElse("").equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no status of " + name + " in " + statuses));
  }
}
