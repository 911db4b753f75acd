package dev.policysync.drift;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.feed.FilePolicySource;
import dev.policysync.policy.feed.PolicyReader;
import dev.policysync.remote.cluster.policy.ClusterPolicies;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.KindExamples;
import dev.policysync.testcluster.RealCluster;
import dev.policysync.testcluster.Sandbox;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Draws edits of policies and compares the agent's verdict on each, by metadata alone, with the
/// truth about the whole object.
///
/// The seed is printed, and the same each time, so that a failure tells of a change and not of
/// luck. Others find more: `-Dpolicysync.seed=…` draws others, `-Dpolicysync.steps=…` more of them.
/// There is nothing to shrink: what is printed is what was done to one policy since it was in sync.
@RealCluster
class DriftTruthIT {
  /// Policies that are edited before the cluster is listed once for all of them.
  private static final int AT_ONCE = 10;

  /// What metadata cannot tell (`docs/decisions/0001-drift-by-field-ownership.md`).
  private enum Limit {
    /// Where items are named by a key or by themselves: the same ones in another order, and an
    /// empty list in place of none or the other way round.
    UNRECORDED,

    /// Somebody changed the spec and then took the record of that away.
    HIDDEN
  }

  private final List<Case> cases = new ArrayList<>();
  private final Map<Limit, Integer> limits = new EnumMap<>(Limit.class);
  private ClusterPolicies policies;
  private int accepted;
  private int drifted;
  private int needless;

  /// A policy and what was done to it since it was last as it should be.
  private record Case(DriftedPolicy driftedPolicy, List<RandomWriter.Deed> story) {
    boolean hidden() {
      return story.stream().anyMatch(RandomWriter.Deed::hides);
    }
  }

  @BeforeEach
  void begin(Sandbox sandbox) {
    policies = new ClusterPolicies(sandbox.cluster().connect(sandbox.cluster().adminToken()));
    policies.list();
    var schemas = new EnumMap<PolicyKind, Schema>(PolicyKind.class);
    for (var policy : policies(sandbox)) {
      var schema =
          schemas.computeIfAbsent(policy.id().kind(), kind -> Schema.of(sandbox.admin(), kind));
      var driftedPolicy = DriftedPolicy.applied(sandbox.admin(), policies, schema, policy);
      cases.add(new Case(driftedPolicy, new ArrayList<>()));
    }
  }

  @Test
  void takesNoChangedPolicyForOneInSync() {
    var seed = Long.getLong("policysync.seed", 20_261_121);
    var steps = Integer.getInteger("policysync.steps", 500);
    System.out.println("drift: -Dpolicysync.seed=" + seed + " -Dpolicysync.steps=" + steps);
    for (int step = 1; step <= steps; step += AT_ONCE) {
      var random = new Random(seed * 1_000_003 + step);
      Collections.shuffle(cases, random);
      var some = cases.subList(0, AT_ONCE);
      for (var one : some) {
        var deed = new RandomWriter(one.driftedPolicy, random).meddle();
        one.story.add(deed);
        accepted += deed.accepted() ? 1 : 0;
      }
      var actualPolicies = policies.list();
      for (var one : some) {
        try {
          judge(one, one.driftedPolicy.inSync(actualPolicies), random);
        } catch (AssertionError | RuntimeException e) {
          throw new AssertionError(
              "seed %d, from step %d, %s: %s%nsince it was in sync:%n%s%n"
                  .formatted(seed, step, one.driftedPolicy, e.getMessage(), lines(one.story)),
              e);
        }
      }
    }
    System.out.printf(
        "drift: %d edits accepted, %d changed something, %d repaired without need, limits %s%n",
        accepted, drifted, needless, limits);
    assertThat(accepted).as("accepted edits").isGreaterThan(steps / 2);
    assertThat(drifted).as("edits that changed something").isGreaterThan(steps / 4);
  }

  private void judge(Case one, boolean inSync, Random random) {
    var wrong = one.driftedPolicy.wrong();
    drifted += wrong.isEmpty() ? 0 : 1;
    if (inSync && !wrong.isEmpty()) {
      if (one.hidden()) {
        limits.merge(Limit.HIDDEN, 1, Integer::sum);
      } else {
        assertThat(one.driftedPolicy.wrongOnRecord()).as("wrong, and taken for in sync").isEmpty();
        limits.merge(Limit.UNRECORDED, 1, Integer::sum);
      }
    }
    if (!inSync && wrong.isEmpty()) {
      needless++;
      assertThat(one.driftedPolicy.disowned())
          .as("reasons for an apply that changes nothing")
          .isNotEmpty();
    }
    if ((!inSync || !wrong.isEmpty()) && random.nextInt(4) > 0) {
      heal(one);
    }
  }

  /// One apply puts everything right, as far as anybody can tell what that is.
  private static void heal(Case one) {
    if (one.hidden()) {
      one.driftedPolicy.begin();
    } else {
      one.driftedPolicy.repair();
    }
    assertThat(one.driftedPolicy.inSync()).as("in sync after one apply").isTrue();
    assertThat(one.driftedPolicy.wrongOnRecord()).as("wrong after one apply").isEmpty();
    assertThat(one.driftedPolicy.disowned()).as("not the agent's after one apply").isEmpty();
    one.story.clear();
  }

  /// The examples for users, and one of every kind.
  private static List<Policy> policies(Sandbox sandbox) {
    var examples = new FilePolicySource("examples/policies", InputStream::nullInputStream).read();
    var all = new ArrayList<Policy>();
    for (var policy : PolicyReader.read(examples).policies()) {
      all.add(policy.id().kind().namespaced() ? in(sandbox, policy) : policy);
    }
    for (var kind : PolicyKind.all()) {
      var example = KindExamples.of(kind, sandbox.namespace("kinds"));
      if (all.stream().noneMatch(policy -> policy.id().equals(example.id()))) {
        all.add(example);
      }
    }
    return all;
  }

  private static Policy in(Sandbox sandbox, Policy policy) {
    var metadata = policy.content().mapping("metadata");
    var namespace = sandbox.namespace(metadata.text("namespace").orElseThrow());
    return Documents.policy(
        policy.content().with("metadata", metadata.with("namespace", namespace)));
  }

  private static String lines(List<RandomWriter.Deed> story) {
    return String.join("\n", story.stream().map(RandomWriter.Deed::toString).toList());
  }
}
