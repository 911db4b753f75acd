package dev.policysync.plan;

import dev.policysync.plan.Plan.Kept;
import dev.policysync.plan.Plan.Waiting;
import dev.policysync.plan.Plan.Withheld;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.feed.ExpectedPolicies;
import dev.policysync.policy.kyverno.PolicyDependency;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Keeps shields (exceptions and context entries) as long as the policies that depend on them, and
/// leaves each removal that depends on another policy to a later run than the change of that policy
/// (promises 5 and 6). Pure.
public final class ExceptionGuard {
  private ExceptionGuard() {}

  /// Which policies a shield that the plan removes serves.
  public sealed interface ServedPolicies {
    /// The shield serves these policies, out of the policies in question.
    record Serves(Set<PolicyId> policies) implements ServedPolicies {
      public Serves {
        policies = Set.copyOf(policies);
      }
    }

    record Unknown(String why) implements ServedPolicies {}
  }

  /// Why a live policy stays although this run does not change it as the feed requires.
  private enum Stay {
    /// The policy stays on purpose: it is not ours, or must never be removed.
    ON_PURPOSE,
    /// The policy stays until a cause is fixed, an approval is given or a deletion ends.
    FOR_NOW
  }

  static boolean isPolicy(PolicyId id) {
    return id.kind().role() == PolicyKind.Role.POLICY;
  }

  public static List<Action.Remove> shieldRemovals(Plan plan) {
    return plan.actions().stream()
        .filter(Action.Remove.class::isInstance)
        .map(Action.Remove.class::cast)
        .filter(removal -> PolicyDependency.isShield(removal.id().kind()))
        .toList();
  }

  /// Returns the policies that may still need a shield: those that the plan writes or removes, live
  /// policies that are not expected, and those that stay although they should change. A policy in
  /// sync may lose its shield, because the feed requires that.
  ///
  /// @param unlisted policies that exist although they were not listed
  public static Set<PolicyId> inQuestion(
      Plan plan,
      ExpectedPolicies expectedPolicies,
      ActualPolicies actualPolicies,
      Set<PolicyId> unlisted) {
    var question =
        new TreeSet<PolicyId>(stays(plan, expectedPolicies, actualPolicies, unlisted).keySet());
    changing(plan).stream().filter(ExceptionGuard::isPolicy).forEach(question::add);
    return question;
  }

  /// Returns the plan without the removals of shields that a remaining policy needs. Each other
  /// removal waits until Kyverno knows the changes that it depends on. The returned plan also
  /// records which of its writes depend on which shields.
  ///
  /// @param unlisted policies that exist although they were not listed
  /// @param going the policies that each removed shield serves
  public static Plan guard(
      Plan plan,
      ExpectedPolicies expectedPolicies,
      ActualPolicies actualPolicies,
      Set<PolicyId> unlisted,
      Map<PolicyId, ServedPolicies> going,
      Propagation propagation) {
    var stays = stays(plan, expectedPolicies, actualPolicies, unlisted);
    var withheld = new ArrayList<Withheld>();
    var kept = new ArrayList<Kept>();
    var waiting = new ArrayList<Waiting>();
    var changing = changing(plan);
    for (var action : plan.actions()) {
      if (action instanceof Action.Remove removal
          && !PolicyDependency.isShield(removal.id().kind())) {
        waiting(removal, removal.successors(), changing, propagation).ifPresent(waiting::add);
      }
    }
    var unknown = excluded(actualPolicies);
    for (var removal : shieldRemovals(plan)) {
      var id = removal.id();
      switch (unknown.orElse(going.getOrDefault(id, new ServedPolicies.Unknown("not checked")))) {
        case ServedPolicies.Unknown(var why) ->
            withheld.add(new Withheld(id, Guard.SERVES_UNKNOWN, why));
        case ServedPolicies.Serves(var policies) -> {
          var staying = policies.stream().filter(stays::containsKey).sorted().toList();
          var forNow = staying.stream().anyMatch(policy -> stays.get(policy) == Stay.FOR_NOW);
          if (forNow) {
            withheld.add(new Withheld(id, Guard.STILL_SERVES, Plan.names(staying)));
          } else if (!staying.isEmpty()) {
            kept.add(
                new Kept(id, "still needed by " + Plan.names(staying) + ", which stays in force"));
          } else {
            var others = new HashSet<>(policies);
            others.addAll(removal.successors());
            waiting(removal, others, changing, propagation).ifPresent(waiting::add);
          }
        }
      }
    }
    return PlanDraft.of(plan)
        .withhold(withheld)
        .keep(kept)
        .postpone(waiting)
        .dependencies(
            new DependencyOrder(
                ShieldedWrites.needs(plan, expectedPolicies, actualPolicies, propagation),
                ShieldedWrites.relies(plan, expectedPolicies, actualPolicies)))
        .plan();
  }

  /// Returns the policies that the plan writes or removes, in this run or a later one.
  private static Set<PolicyId> changing(Plan plan) {
    return Stream.concat(
            plan.actions().stream(), plan.pending().waiting().stream().map(Waiting::action))
        .map(Action::id)
        .collect(Collectors.toSet());
  }

  /// Returns the removal as waiting if this run changes a policy that the removal depends on, or an
  /// earlier run has just changed one. An object that was deleted has no readable deletion time, so
  /// the state of earlier runs is used for that.
  private static Optional<Waiting> waiting(
      Action.Remove removal,
      Set<PolicyId> others,
      Set<PolicyId> changing,
      Propagation propagation) {
    var open = others.stream().filter(changing::contains).toList();
    var depends = PolicyDependency.isShield(removal.id().kind()) || !removal.successors().isEmpty();
    return open.isEmpty() && (!depends || propagation.reachedChanges())
        ? Optional.empty()
        : Optional.of(new Waiting(removal, open));
  }

  /// Returns why the served policies are unknown if the settings exclude a kind of policy: excluded
  /// kinds are not listed.
  private static Optional<ServedPolicies> excluded(ActualPolicies actualPolicies) {
    return PolicyKind.all().stream()
        .filter(kind -> kind.role() == PolicyKind.Role.POLICY && !kind.builtIn())
        .filter(kind -> actualPolicies.of(kind) instanceof Listing.Excluded)
        .map(kind -> kind.label() + " is in EXCLUDE_KINDS")
        .reduce((one, other) -> one + ", " + other)
        .map(ServedPolicies.Unknown::new);
  }

  private static Map<PolicyId, Stay> stays(
      Plan plan,
      ExpectedPolicies expectedPolicies,
      ActualPolicies actualPolicies,
      Set<PolicyId> unlisted) {
    var wanted = new HashSet<PolicyId>();
    expectedPolicies.policies().forEach(policy -> wanted.add(policy.id()));
    var stuck = new HashSet<PolicyId>();
    plan.problems().conflicts().forEach(conflict -> stuck.add(conflict.id()));
    plan.problems().rejected().forEach(rejected -> rejected.id().ifPresent(stuck::add));
    plan.pending().withheld().forEach(held -> stuck.add(held.id()));
    var ignored =
        plan.retained().ignored().stream().map(Plan.Ignored::id).collect(Collectors.toSet());
    var goes = changing(plan);
    var stays = new HashMap<PolicyId, Stay>();
    unlisted.forEach(id -> stays.put(id, Stay.FOR_NOW));
    for (var live : actualPolicies.byId().values()) {
      var id = live.id();
      if (isPolicy(id) && !goes.contains(id)) {
        if (stuck.contains(id) || live.terminating()) {
          stays.put(id, Stay.FOR_NOW);
        } else if (!wanted.contains(id) || ignored.contains(id)) {
          stays.put(id, Stay.ON_PURPOSE);
        }
      }
    }
    return stays;
  }
}
