package dev.policysync.singlefault;

import dev.policysync.base.Value;
import dev.policysync.plan.PlannerOptions;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.testcluster.Documents;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/// A cluster and a feed, and what an undisturbed run makes of them.
///
/// @param before what happened until the run begins
/// @param does what the undisturbed run does, in words: `create ClusterPolicy/x`
/// @param mayRemove how many policies may be removed on that day without approval
/// @param held what may begin to block with approval only
/// @param serves which policy each exception and context entry serves
/// @param successors what takes the place of a policy that Kyverno 1.20 no longer executes, where
///   the world converts
/// @param documents the policies that somebody may change in the middle of the run, as the feed or
///   people write them
record Scenario(
    String name,
    PlannerOptions plannerOptions,
    Consumer<World> before,
    List<String> does,
    int mayRemove,
    Set<PolicyId> held,
    Map<PolicyId, PolicyId> serves,
    Map<PolicyId, String> successors,
    Map<PolicyId, String> documents) {

  static Scenario of(
      String name,
      PlannerOptions plannerOptions,
      int mayRemove,
      Consumer<World> before,
      String... does) {
    return new Scenario(
        name,
        plannerOptions,
        before,
        List.of(does),
        mayRemove,
        Set.of(),
        Map.of(),
        Map.of(),
        Map.of());
  }

  /// The same, and in the middle of it somebody may change these.
  Scenario about(String... policies) {
    var all = new LinkedHashMap<PolicyId, String>();
    for (var policy : policies) {
      all.put(Documents.policy(policy).id(), policy);
    }
    return new Scenario(
        name, plannerOptions, before, does, mayRemove, held, serves, successors, all);
  }

  /// The same, where a shield serves a policy.
  Scenario where(PolicyId shield, PolicyId policy) {
    var all = new HashMap<>(serves);
    all.put(shield, policy);
    return new Scenario(
        name, plannerOptions, before, does, mayRemove, held, all, successors, documents);
  }

  /// The same, where a policy may begin to block with approval only.
  Scenario holding(PolicyId policy) {
    return new Scenario(
        name,
        plannerOptions,
        before,
        does,
        mayRemove,
        Set.of(policy),
        serves,
        successors,
        documents);
  }

  /// The same, where a policy has a successor.
  Scenario succeeded(PolicyId policy, String successor) {
    var all = new HashMap<>(successors);
    all.put(policy, successor);
    return new Scenario(
        name, plannerOptions, before, does, mayRemove, held, serves, all, documents);
  }

  Optional<Value.Mapping> successor(PolicyId policy) {
    return Optional.ofNullable(successors.get(policy)).map(Documents::yaml);
  }

  /// The successor of a policy, and the policy of a successor.
  Optional<PolicyId> otherForm(PolicyId id) {
    for (var succession : successors.entrySet()) {
      var successor = Documents.policy(succession.getValue()).id();
      if (id.equals(successor)) {
        return Optional.of(succession.getKey());
      }
      if (id.equals(succession.getKey())) {
        return Optional.of(successor);
      }
    }
    return Optional.empty();
  }

  /// How many runs it takes until nothing is left to do, at most.
  int runs() {
    var names = targets().stream().map(PolicyId::name).distinct().count();
    return 1 + 2 * successors.size() + 2 * serves.size() + (names < targets().size() ? 1 : 0);
  }

  List<PolicyId> targets() {
    return List.copyOf(documents.keySet());
  }

  String document(PolicyId id) {
    return Optional.ofNullable(documents.get(id)).orElseThrow();
  }

  /// The kinds of which it has policies; of no other is there any.
  Collection<PolicyKind> kinds() {
    var kinds = EnumSet.of(PolicyKind.CLUSTER_POLICY);
    targets().forEach(id -> kinds.add(id.kind()));
    return kinds;
  }

  /// What a newer feed brings.
  String newer() {
    return Scenarios.clusterPolicy("newer", "Audit");
  }

  List<PolicyId> shieldsOf(PolicyId policy) {
    var shields = new ArrayList<PolicyId>();
    serves.forEach((shield, served) -> {
      if (served.equals(policy)) {
        shields.add(shield);
      }
    });
    return shields;
  }

  Optional<PolicyId> servedBy(PolicyId shield) {
    return Optional.ofNullable(serves.get(shield));
  }

  @Override
  public String toString() {
    return name;
  }
}
