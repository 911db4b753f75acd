package dev.policysync.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.plan.Action;
import dev.policysync.plan.ActualPolicies;
import dev.policysync.plan.Failure;
import dev.policysync.plan.Listing;
import dev.policysync.plan.LivePolicy;
import dev.policysync.policy.OwnershipAnnotations;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.remote.cluster.policy.ClusterPolicies;
import dev.policysync.remote.cluster.policy.ClusterWriters;
import dev.policysync.sync.EveryMoveTest.Event;
import dev.policysync.sync.execution.DisturbedStore;
import dev.policysync.sync.execution.OtherWriters;
import dev.policysync.sync.execution.PolicyStore;
import dev.policysync.sync.execution.WriteMode;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.RawApi;
import dev.policysync.testcluster.RealCluster;
import dev.policysync.testcluster.Rounds;
import dev.policysync.testcluster.Sandbox;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Some of the paths of [EveryMoveTest] on a real API server, with the agent's own adapter: after
/// each step, it has what the cluster in memory has, and the run has done the same and named the
/// same policies. Kyverno is imitated: it reports each policy as ready.
@RealCluster
class MovesIT {
  private static final List<PolicyKind> KINDS =
      List.of(
          PolicyKind.CLUSTER_POLICY,
          PolicyKind.VALIDATING_POLICY,
          PolicyKind.KYVERNO_EXCEPTION,
          PolicyKind.CEL_EXCEPTION);

  private static final int STEPS = 10;

  /// The number of runs in which a policy moves.
  private static final int WHOLE_MOVE = 4;

  private Sandbox sandbox;

  @BeforeEach
  void begin(Sandbox itsSandbox) {
    sandbox = itsSandbox;
    sandbox
        .admin()
        .apply(
            "/api/v1/namespaces/shop?fieldManager=test",
            "{apiVersion: v1, kind: Namespace, metadata: {name: shop}}")
        .ok();
    empty();
  }

  @AfterEach
  void empty() {
    KINDS.forEach(kind -> sandbox.admin().delete(collection(kind)));
  }

  private static String collection(PolicyKind kind) {
    return "/apis/%s/%s/%s%s"
        .formatted(
            kind.group(),
            kind.versions().getFirst(),
            kind.namespaced() ? "namespaces/shop/" : "",
            kind.plural());
  }

  @TestFactory
  Stream<DynamicTest> areTheSameOnAnApiServer() {
    var families = List.copyOf(EveryMoveTest.FAMILIES.entrySet());
    return families.stream()
        .map(family ->
            DynamicTest.dynamicTest(
                family.getKey(),
                () -> {
                  for (int walk = 0; walk < Rounds.of(1, 20); walk++) {
                    var number = families.indexOf(family) + walk;
                    walk(
                        family.getValue(),
                        new Random(20_261_126L + number),
                        number % 2 * WHOLE_MOVE);
                  }
                }));
  }

  /// @param undisturbed the number of runs before anything happens
  private void walk(List<Event> events, Random random, int undisturbed) {
    empty();
    var memory = new MovingCluster();
    var real = new MovingCluster(new ImitatedKyverno(sandbox), new FakeTime(Instant.now()));
    memory.feed = EveryMoveTest.ENFORCED;
    real.feed = EveryMoveTest.ENFORCED;
    var path = new ArrayList<String>();
    for (int i = 0; i < undisturbed + STEPS; i++) {
      var choice = i < undisturbed ? 9 : random.nextInt(10);
      if (choice < 4) {
        var event = events.get(random.nextInt(events.size()));
        path.add(event.name());
        event.happens().accept(memory);
        event.happens().accept(real);
      } else {
        var fatal = choice < 6 ? 1 + random.nextInt(4) : Integer.MAX_VALUE;
        path.add(choice < 6 ? "killed at " + fatal : "run");
        assertThat(run(real, fatal)).as("%s", path).isEqualTo(run(memory, fatal));
      }
      assertThat(state(real)).as("%s", path).isEqualTo(state(memory));
    }
  }

  /// Returns what the run did, and the policies of which it said something more.
  private static String run(MovingCluster cluster, int fatal) {
    var writes = new AtomicInteger();
    cluster.store.beforeEachWrite(_ -> {
      if (writes.incrementAndGet() == fatal) {
        throw new IllegalStateException("killed");
      }
    });
    try {
      return cluster.run()
          + "\n"
          + cluster.said().lines().map(line -> line.replaceFirst(": .*", "")).toList();
    } catch (IllegalStateException e) {
      assertThat(e).hasStackTraceContaining("killed");
      return "killed";
    } finally {
      cluster.store.beforeEachWrite(_ -> {});
      cluster.lease.seize("");
    }
  }

  /// Returns what the cluster has, and what the API was told.
  private static String state(MovingCluster cluster) {
    var lines = new ArrayList<String>();
    for (var object : cluster.store.contents().entrySet()) {
      var annotations = object.getValue().mapping("metadata").mapping("annotations");
      lines.add(
          object.getKey()
              + (cluster.blocks(object.getKey()) ? " blocks " : " ")
              + Stream.concat(
                      OwnershipAnnotations.ON_POLICIES.stream(),
                      Stream.of(OwnershipAnnotations.RECONCILE))
                  .flatMap(name -> annotations.text(name).map(text -> name + "=" + text).stream())
                  .toList());
    }
    lines.add("the API knows " + cluster.lastTold);
    return String.join("\n", lines);
  }

  /// The policies of an API server. Kyverno reports each of them as ready at once, unless a test
  /// reports something else.
  private static final class ImitatedKyverno implements DisturbedStore {
    private static final String READY =
        "{type: Ready, status: 'True', reason: Tried, message: m, observedGeneration: %d,"
            + " lastTransitionTime: '2026-11-21T03:00:00Z'}";

    private final RawApi admin;
    private final PolicyStore policies;
    private final OtherWriters others;
    private final Map<PolicyId, Failure> refusals = new HashMap<>();
    private final Map<PolicyKind, Listing> unusual = new EnumMap<>(PolicyKind.class);
    private final Set<PolicyId> reported = new HashSet<>();
    private Consumer<Action> beforeEachWrite = _ -> {};

    ImitatedKyverno(Sandbox sandbox) {
      var cluster = sandbox.cluster();
      policies = new ClusterPolicies(cluster.connect(cluster.adminToken()));
      policies.list();
      admin = sandbox.admin();
      others = new ClusterWriters(admin);
    }

    private void reconcile(PolicyId id) {
      if (reported.contains(id)) {
        return;
      }
      var generation = find(id).map(LivePolicy::generation).orElse(0L);
      switch (id.kind().label()) {
        case "ClusterPolicy" ->
            others.report(
                id, "conditions: [" + READY.replace("observedGeneration: %d, ", "") + "]");
        case "ValidatingPolicy" ->
            others.report(
                id,
                "conditionStatus: {ready: true, message: m, conditions: ["
                    + READY.formatted(generation)
                    + "]}");
        default -> {
          // Exceptions have no status.
        }
      }
    }

    @Override
    public SortedMap<PolicyId, Value.Mapping> contents() {
      var contents = new TreeMap<PolicyId, Value.Mapping>();
      for (var kind : KINDS) {
        for (var item : admin.get(collection(kind)).ok().mappings("items")) {
          var namespace = item.mapping("metadata").text("namespace");
          var name = item.mapping("metadata").text("name").orElseThrow();
          contents.put(new PolicyId(kind, namespace, name), item);
        }
      }
      return contents;
    }

    @Override
    public void refuse(PolicyId id, Failure failure) {
      refusals.put(id, failure);
    }

    @Override
    public void allow(PolicyId id) {
      refusals.remove(id);
    }

    @Override
    public void list(PolicyKind kind, Listing listing) {
      unusual.put(kind, listing);
    }

    @Override
    public void list(PolicyKind kind) {
      unusual.remove(kind);
    }

    @Override
    public void beforeEachWrite(Consumer<Action> happens) {
      beforeEachWrite = happens;
    }

    private ActualPolicies disturbed(ActualPolicies listed) {
      var kinds = new EnumMap<PolicyKind, Listing>(listed.kinds());
      kinds.putAll(unusual);
      return new ActualPolicies(kinds);
    }

    @Override
    public ActualPolicies list() {
      return disturbed(policies.list());
    }

    @Override
    public ActualPolicies listServed(Map<PolicyKind, String> served) {
      return disturbed(policies.listServed(served));
    }

    @Override
    public Optional<LivePolicy> find(PolicyId id) {
      return policies.find(id);
    }

    @Override
    public Written apply(Action.Write write, WriteMode writeMode) {
      beforeEachWrite.accept(write);
      if (refusals.containsKey(write.id())) {
        return new Written.Refused(refusals.get(write.id()));
      }
      var written = policies.apply(write, writeMode);
      if (written instanceof Written.Done && writeMode == WriteMode.LIVE) {
        reconcile(write.id());
      }
      return written;
    }

    @Override
    public Written remove(Action.Remove removal, WriteMode writeMode) {
      beforeEachWrite.accept(removal);
      if (refusals.containsKey(removal.id())) {
        return new Written.Refused(refusals.get(removal.id()));
      }
      var written = policies.remove(removal, writeMode);
      if (written instanceof Written.Done && writeMode == WriteMode.LIVE) {
        reported.remove(removal.id());
      }
      return written;
    }

    @Override
    public Preview preview(Action.Write write) {
      return policies.preview(write);
    }

    @Override
    public Optional<Value.Mapping> read(PolicyId id) {
      return policies.read(id);
    }

    @Override
    public void create(String object) {
      others.create(object);
      reconcile(Documents.policy(object).id());
    }

    @Override
    public void edit(PolicyId id, String patch) {
      others.edit(id, patch);
      reconcile(id);
    }

    @Override
    public void apply(String object) {
      others.apply(object);
      reconcile(Documents.policy(object).id());
    }

    @Override
    public void applyAsUs(String object) {
      others.applyAsUs(object);
      reconcile(Documents.policy(object).id());
    }

    @Override
    public void cutOutOthers(PolicyId id) {
      others.cutOutOthers(id);
    }

    @Override
    public void report(PolicyId id, String status) {
      reported.add(id);
      others.report(id, "{conditions: null, conditionStatus: null}");
      others.report(id, status);
    }

    @Override
    public void forgetOwners(PolicyId id) {
      others.forgetOwners(id);
    }

    @Override
    public void remove(PolicyId id) {
      others.remove(id);
      reported.remove(id);
    }
  }
}
