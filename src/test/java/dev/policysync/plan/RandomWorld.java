package dev.policysync.plan;

import static dev.policysync.plan.PlanFixtures.annotated;
import static dev.policysync.plan.PlanFixtures.applied;
import static dev.policysync.plan.PlanFixtures.controlled;
import static dev.policysync.plan.PlanFixtures.ownedOnly;
import static dev.policysync.plan.PlanFixtures.terminating;
import static dev.policysync.plan.PlanFixtures.unowned;
import static dev.policysync.plan.PlanFixtures.with;
import static dev.policysync.plan.PlanFixtures.withOwnership;
import static dev.policysync.plan.PlanFixtures.without;
import static dev.policysync.plan.managedfields.OwnershipFixtures.updatedBy;
import static dev.policysync.policy.PolicyFixtures.feed;
import static dev.policysync.policy.PolicyFixtures.policy;
import static dev.policysync.policy.PolicyFixtures.unreadable;

import dev.policysync.plan.managedfields.FieldOwnership;
import dev.policysync.policy.OwnershipAnnotations;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.feed.ExpectedPolicies;
import dev.policysync.policy.feed.UnreadableDocument;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// A feed, a cluster and rules drawn from a seed: few names in a few kinds and namespaces, so that
/// they meet often, and every state that a live policy can be in.
final class RandomWorld {
  private static final List<PolicyKind> KINDS =
      List.of(
          PolicyKind.CLUSTER_POLICY,
          PolicyKind.VALIDATING_POLICY,
          PolicyKind.NAMESPACED_POLICY,
          PolicyKind.KYVERNO_EXCEPTION,
          PolicyKind.GLOBAL_CONTEXT_ENTRY,
          PolicyKind.VALIDATING_ADMISSION_POLICY_BINDING);
  private static final List<String> SPECS =
      List.of("{'rules': []}", "{'rules': [], 'background': true}", "{'deep': {'er': {}}}");

  private final Random random;
  private final PlannerOptions plannerOptions;
  private final ExpectedPolicies expectedPolicies;
  private final Map<PolicyId, LivePolicy> live = new HashMap<>();
  private final Map<PolicyKind, Listing> odd = new HashMap<>();

  RandomWorld(long seed) {
    this.random = new Random(seed);
    this.plannerOptions =
        new PlannerOptions(
            PlanFixtures.SOURCE,
            one(List.of(Adoption.NEVER, Adoption.ALWAYS)),
            random.nextBoolean()
                ? new RemovalBudget.Count(random.nextInt(6))
                : new RemovalBudget.Share(random.nextInt(101)));
    var ids = ids();
    this.expectedPolicies = expected(ids);
    for (var id : ids) {
      if (random.nextInt(3) > 0) {
        live.put(id, live(id));
      }
    }
    for (var kind : KINDS) {
      if (random.nextInt(12) == 0) {
        odd.put(kind, random.nextBoolean() ? PlanFixtures.absent() : PlanFixtures.unlistable());
      }
    }
    live.keySet().removeIf(id -> odd.containsKey(id.kind()));
  }

  PlannerOptions rules() {
    return plannerOptions;
  }

  ExpectedPolicies expected() {
    return expectedPolicies;
  }

  List<PolicyId> expectedIds() {
    return expectedPolicies.policies().stream().map(Policy::id).toList();
  }

  /// What the planner makes of it.
  Plan plan() {
    return new Planner(plannerOptions).plan(expectedPolicies, actual(), PlanContext.NONE);
  }

  ActualPolicies actual() {
    return actual(live.values());
  }

  /// The same kinds as here, with other policies.
  ActualPolicies actual(Collection<LivePolicy> policies) {
    var actualPolicies = PlanFixtures.cluster(policies);
    for (var kind : odd.entrySet()) {
      actualPolicies = with(actualPolicies, kind.getKey(), kind.getValue());
    }
    return actualPolicies;
  }

  Map<PolicyId, LivePolicy> byId() {
    return live;
  }

  ExpectedPolicies shuffledExpected() {
    var policies = new ArrayList<>(expectedPolicies.policies());
    Collections.shuffle(policies, random);
    return new ExpectedPolicies(policies, expectedPolicies.unreadable());
  }

  ActualPolicies shuffledActual() {
    var policies = new ArrayList<>(live.values());
    Collections.shuffle(policies, random);
    return actual(policies);
  }

  private List<PolicyId> ids() {
    var ids = new ArrayList<PolicyId>();
    for (var kind : KINDS) {
      for (var name : List.of("a", "b", "c")) {
        if (!kind.namespaced()) {
          ids.add(PolicyId.of(kind, name));
          continue;
        }
        ids.add(PolicyId.of(kind, "shop", name));
        ids.add(PolicyId.of(kind, "bank", name));
      }
    }
    return ids;
  }

  private ExpectedPolicies expected(List<PolicyId> ids) {
    var wanted = random.nextInt(5);
    var policies = new ArrayList<Policy>();
    for (var id : ids) {
      if (random.nextInt(4) < wanted) {
        policies.add(policy(id, one(SPECS)));
      }
    }
    var broken =
        random.nextInt(5) == 0
            ? new UnreadableDocument[] {unreadable()}
            : new UnreadableDocument[0];
    return feed(policies, broken);
  }

  private LivePolicy live(PolicyId id) {
    var ours = applied(policy(id, one(SPECS)));
    return switch (random.nextInt(12)) {
      case 0 -> unowned(id);
      case 1 -> controlled(unowned(id));
      case 2 -> controlled(ours);
      case 3 ->
          annotated(
              ours, OwnershipAnnotations.APPLIED, "ClusterPolicy.kyverno.io/original@sha256:0");
      case 4 -> annotated(ours, OwnershipAnnotations.SOURCE, "acme/staging");
      case 5 -> annotated(ours, OwnershipAnnotations.PRUNE, "disabled");
      case 6 -> without(ours, OwnershipAnnotations.APPLIED);
      case 7 -> terminating(ours);
      case 8 -> ownedOnly(id);
      case 9 ->
          withOwnership(
              ours,
              new FieldOwnership(
                  List.of(
                      ours.ownership().entries().getFirst(),
                      updatedBy("kubectl-edit", "{'f:spec': {'f:x': {}}}"))));
      default -> ours;
    };
  }

  private <T> T one(List<T> items) {
    return items.get(random.nextInt(items.size()));
  }
}
