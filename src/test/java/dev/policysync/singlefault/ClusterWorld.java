package dev.policysync.singlefault;

import dev.policysync.base.Value;
import dev.policysync.plan.Approval;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.remote.cluster.ClusterConnection;
import dev.policysync.remote.cluster.lease.LeaseLock;
import dev.policysync.remote.cluster.policy.ClusterWriters;
import dev.policysync.sync.execution.OtherWriters;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.RawApi;
import dev.policysync.testcluster.Sandbox;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/// A world around a real API server, with the agent's own adapters. Feed, statuses, reports and the
/// time are in memory.
final class ClusterWorld extends World {
  private static final List<String> NAMESPACES = List.of("shop", "store");

  /// What the API server keeps in an object's metadata.
  private static final List<String> KEPT =
      List.of("uid", "resourceVersion", "generation", "creationTimestamp", "managedFields");

  private final ClusterConnection connection;
  private final RawApi admin;
  private final ClusterWriters others;
  private final String lease;
  private final EarlierResponses unrelated;
  private final EarlierResponses earlierResponses = new EarlierResponses();
  private boolean approved;

  private ClusterWorld(
      Scenario scenario, ClusterConnection connection, EarlierResponses unrelated) {
    super(scenario);
    this.connection = connection;
    this.unrelated = unrelated;
    admin = RawApi.over(connection);
    others = new ClusterWriters(admin);
    lease =
        "/apis/coordination.k8s.io/v1/namespaces/%s/leases/%s"
            .formatted(namespaceOf(connection), LeaseLock.NAME);
  }

  /// Where the agent's Lease is.
  static String namespaceOf(ClusterConnection connection) {
    return ((ClusterConnection.Origin.Pod) connection.origin()).namespace();
  }

  /// Makes worlds, one at a time, in which everything has happened that happens before the run of a
  /// scenario.
  static Supplier<World> of(Scenario scenario, Sandbox sandbox) {
    var cluster = sandbox.cluster();
    var direct = cluster.connect(cluster.adminToken());
    var connection =
        new ClusterConnection(
            direct.server(), direct.http(), sandbox.namespace("agent"), direct::close);
    for (var name : NAMESPACES) {
      var namespace = "{apiVersion: v1, kind: Namespace, metadata: {name: " + name + "}}";
      sandbox.admin().apply("/api/v1/namespaces/" + name + "?fieldManager=test", namespace).ok();
    }
    empty(sandbox);
    var unrelated = new EarlierResponses();
    return () -> {
      empty(sandbox, scenario.kinds());
      var world = new ClusterWorld(scenario, connection, unrelated);
      world.admin.delete(world.lease);
      scenario.before().accept(world);
      return world;
    };
  }

  /// Removes the policies of all scenarios.
  static void empty(Sandbox sandbox) {
    var kinds = Scenarios.all().stream().flatMap(scenario -> scenario.kinds().stream()).distinct();
    empty(sandbox, kinds.toList());
  }

  private static void empty(Sandbox sandbox, Collection<PolicyKind> kinds) {
    for (var kind : kinds) {
      var group = "/apis/" + kind.group() + "/" + kind.versions().getFirst();
      var below =
          kind.namespaced()
              ? NAMESPACES.stream().map(name -> "/namespaces/" + name).toList()
              : List.of("");
      for (var place : below) {
        sandbox.admin().delete(group + place + "/" + kind.plural()).ok();
      }
    }
  }

  @Override
  protected RunPorts ports(RequestLog requestLog) {
    return new ClusterPorts(this, requestLog, connection);
  }

  /// What this world's agents were answered.
  EarlierResponses earlierResponses() {
    return earlierResponses;
  }

  /// What all worlds' agents were answered about kinds that the scenario has nothing to do with.
  EarlierResponses unrelated() {
    return unrelated;
  }

  /// The API server's answers are noted as they come.
  @Override
  protected void changes() {}

  @Override
  OtherWriters others() {
    return others;
  }

  @Override
  SortedMap<PolicyId, Value.Mapping> policies() {
    var policies = new TreeMap<PolicyId, Value.Mapping>();
    for (var kind : scenario.kinds()) {
      var apiVersion = kind.group() + "/" + kind.versions().getFirst();
      for (var item : admin.get("/apis/" + apiVersion + "/" + kind.plural()).ok().items("items")) {
        var object =
            ((Value.Mapping) item).with("apiVersion", apiVersion).with("kind", kind.kind());
        policies.put(Documents.policy(object).id(), asWritten(object));
      }
    }
    return policies;
  }

  @Override
  Optional<Value.Mapping> policy(PolicyId id) {
    return others.read(id).map(ClusterWorld::asWritten);
  }

  private static Value.Mapping asWritten(Value.Mapping object) {
    var metadata = object.mapping("metadata");
    for (var field : KEPT) {
      metadata = metadata.without(field);
    }
    return object.without("status").with("metadata", metadata);
  }

  private Value.Mapping lease() {
    var reply = admin.get(lease);
    return reply.status() == 404 ? Value.Mapping.EMPTY : reply.ok();
  }

  @Override
  String holder() {
    return lease().mapping("spec").text("holderIdentity").orElse("");
  }

  /// Which approvals there are.
  Set<Approval.Of> approvals() {
    if (!approved) {
      return Set.of();
    }
    var annotations = lease().mapping("metadata").mapping("annotations");
    var there = EnumSet.allOf(Approval.Of.class);
    there.removeIf(what -> annotations.text(annotation(what)).isEmpty());
    return there;
  }

  private static String annotation(Approval.Of what) {
    return switch (what) {
      case REMOVALS -> "policysync.dev/approve-removals";
      case ENFORCEMENT -> "policysync.dev/approve-enforcement";
    };
  }

  @Override
  void approve(Approval.Of what, String list) {
    approved = true;
    annotate(what, "'" + list + "'");
  }

  @Override
  boolean withdrawApprovals() {
    var there = approvals();
    there.forEach(what -> annotate(what, "null"));
    return !there.isEmpty();
  }

  private void annotate(Approval.Of what, String value) {
    var patch = "{metadata: {annotations: {" + annotation(what) + ": " + value + "}}}";
    admin.merge(lease + "?fieldManager=kubectl-annotate", Documents.yaml(patch)).ok();
  }
}
