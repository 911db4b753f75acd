package dev.policysync.plan;

import dev.policysync.base.Value;
import dev.policysync.plan.Action.Remove.Generation;
import dev.policysync.plan.Plan.Waiting;
import dev.policysync.plan.Plan.Withheld;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.feed.ExpectedPolicies;
import dev.policysync.policy.kyverno.PolicyDependency;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Finds the shields (exceptions and context entries) without which a written policy must not
/// become stricter (promise 6). Pure.
public final class ShieldedWrites {
  private ShieldedWrites() {}

  /// Returns the plan's writes of policies whose expected shield cannot be applied in this run.
  /// Only the writes of stricter policies must be withheld.
  public static List<Withheld> unshielded(Plan plan, ExpectedPolicies expectedPolicies) {
    var missing = missing(plan, expectedPolicies);
    if (missing.isEmpty()) {
      return List.of();
    }
    var writes = new ArrayList<Withheld>();
    for (var write : policyWrites(plan)) {
      var says = write.desired().manifest();
      missing.stream()
          .filter(shield -> shield.policyDependency().serves(write.id(), says))
          .map(shield -> shield.label() + ": " + shield.reason())
          .reduce((one, other) -> one + "; " + other)
          .ifPresent(reason -> writes.add(new Withheld(write.id(), Guard.UNSHIELDED, reason)));
    }
    return writes;
  }

  private static List<Missing> missing(Plan plan, ExpectedPolicies expectedPolicies) {
    var reasons = new LinkedHashMap<PolicyId, String>();
    plan.problems().conflicts().forEach(conflict -> reasons.put(conflict.id(), conflict.reason()));
    plan.pending().withheld().forEach(held -> reasons.put(held.id(), held.reason()));
    plan.retained().ignored().stream()
        .filter(ignored -> ignored.feed() == Plan.Ignored.Feed.DIFFERS)
        .forEach(ignored -> reasons.put(ignored.id(), ignored.reason()));
    for (var rejected : plan.problems().rejected()) {
      rejected.id().ifPresent(id -> reasons.put(id, rejected.failure().reason()));
    }
    var missing = new ArrayList<Missing>();
    for (var policy : expectedPolicies.policies()) {
      var reason = reasons.get(policy.id());
      if (reason != null && PolicyDependency.isShield(policy.id().kind())) {
        missing.add(new Missing(policy.id().toString(), shield(policy), reason));
      }
    }
    for (var document : expectedPolicies.unreadable()) {
      document
          .shield()
          .ifPresent(policyDependency ->
              missing.add(new Missing(document.label(), policyDependency, document.reason())));
    }
    return missing;
  }

  private static PolicyDependency shield(Policy policy) {
    return PolicyDependency.of(policy.id().kind(), policy.content());
  }

  private static List<Action.Write> policyWrites(Plan plan) {
    return plan.actions().stream()
        .filter(Action.Write.class::isInstance)
        .map(Action.Write.class::cast)
        .filter(write -> ExceptionGuard.isPolicy(write.id()))
        .toList();
  }

  /// Returns the plan's writes of policies whose shield Kyverno may not know yet, because the plan
  /// writes it or an earlier run has just written it. Only the writes of stricter policies have to
  /// wait.
  public static List<Waiting> early(
      Plan plan,
      ExpectedPolicies expectedPolicies,
      ActualPolicies actualPolicies,
      Propagation propagation) {
    var needs = needs(plan, expectedPolicies, actualPolicies, propagation);
    return policyWrites(plan).stream()
        .filter(write -> needs.containsKey(write.id()))
        .map(write -> new Waiting(write, List.copyOf(needs.get(write.id()))))
        .toList();
  }

  /// Returns for each written policy the shields that Kyverno may not know yet: shields that the
  /// plan writes, and unchanged shields that an earlier run has just written.
  static Map<PolicyId, Set<PolicyId>> needs(
      Plan plan,
      ExpectedPolicies expectedPolicies,
      ActualPolicies actualPolicies,
      Propagation propagation) {
    var shields = new LinkedHashMap<PolicyId, PolicyDependency>();
    for (var action : plan.actions()) {
      if (action instanceof Action.Write write && PolicyDependency.isShield(write.id().kind())) {
        shields.put(write.id(), PolicyDependency.of(write.id().kind(), write.desired().manifest()));
      }
    }
    var live = actualPolicies.byId();
    unchangedShields(plan, expectedPolicies).stream()
        .filter(shield ->
            Optional.ofNullable(live.get(shield.id()))
                .filter(there -> !propagation.reached(there))
                .isPresent())
        .forEach(shield -> shields.put(shield.id(), shield(shield)));
    return served(plan, shields);
  }

  /// Returns for each written policy the shields that the plan leaves unchanged.
  static Map<PolicyId, Set<Generation>> relies(
      Plan plan, ExpectedPolicies expectedPolicies, ActualPolicies actualPolicies) {
    var shields = new LinkedHashMap<Generation, PolicyDependency>();
    var live = actualPolicies.byId();
    for (var shield : unchangedShields(plan, expectedPolicies)) {
      if (live.containsKey(shield.id())) {
        shields.put(Generation.of(live.get(shield.id())), shield(shield));
      }
    }
    return served(plan, shields);
  }

  private static List<Policy> unchangedShields(Plan plan, ExpectedPolicies expectedPolicies) {
    if (policyWrites(plan).isEmpty()) {
      return List.of();
    }
    var unchanged = new HashSet<>(plan.unchanged());
    return expectedPolicies.policies().stream()
        .filter(policy ->
            PolicyDependency.isShield(policy.id().kind()) && unchanged.contains(policy.id()))
        .toList();
  }

  private static <S> Map<PolicyId, Set<S>> served(Plan plan, Map<S, PolicyDependency> shields) {
    if (shields.isEmpty()) {
      return Map.of();
    }
    var byText = shields.values().stream().anyMatch(PolicyDependency::needsPolicyContent);
    var served = new HashMap<PolicyId, Set<S>>();
    for (var write : policyWrites(plan)) {
      var says = byText ? write.desired().manifest() : Value.Mapping.EMPTY;
      var needed =
          shields.entrySet().stream()
              .filter(shield -> shield.getValue().serves(write.id(), says))
              .map(Map.Entry::getKey)
              .collect(Collectors.toUnmodifiableSet());
      if (!needed.isEmpty()) {
        served.put(write.id(), needed);
      }
    }
    return served;
  }

  private record Missing(String label, PolicyDependency policyDependency, String reason) {}
}
