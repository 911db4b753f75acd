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

/// Keeps exceptions and context entries, the shields, as long as the policies that they serve, and
/// each removal that depends on another policy for a later run than what becomes of that one
/// (promises 5 and 6). Pure.
public final class DependencyGuard {
  private DependencyGuard() {}

  /// What is known of a shield that is to go.
  public sealed interface Going {
    /// Of the policies in question it serves these.
    record Serves(Set<PolicyId> policies) implements Going {
      public Serves {
        policies = Set.copyOf(policies);
      }
    }

    /// It cannot be told whom it serves.
    record Unknown(String why) implements Going {}
  }

  /// What becomes of a policy in the cluster that a run does not bring to the feed's state.
  private enum Stay {
    /// Somebody wants it so: it is not ours, or is never to be removed.
    ON_PURPOSE,
    /// Something has to be mended, approved or waited for.
    FOR_NOW
  }

  static boolean isPolicy(PolicyId id) {
    return id.kind().role() == PolicyKind.Role.POLICY;
  }

  /// The shields that the plan removes.
  public static List<Action.Remove> going(Plan plan) {
    return plan.actions().stream()
        .filter(Action.Remove.class::isInstance)
        .map(Action.Remove.class::cast)
        .filter(removal -> PolicyDependency.is(removal.id().kind()))
        .toList();
  }

  /// The policies for whose sake a shield may have to stay: those that the plan acts on, and those
  /// in the cluster that nobody expects or that stay as they are although they should not. One that
  /// is in sync may well lose its shield: the feed says so.
  ///
  /// @param unlisted policies that are there although they were not listed
  public static Set<PolicyId> inQuestion(
      Plan plan,
      ExpectedPolicies expectedPolicies,
      ActualPolicies actualPolicies,
      Set<PolicyId> unlisted) {
    var question =
        new TreeSet<PolicyId>(stays(plan, expectedPolicies, actualPolicies, unlisted).keySet());
    changing(plan).stream().filter(DependencyGuard::isPolicy).forEach(question::add);
    return question;
  }

  /// The plan that removes no shield of a policy that stays as it is, nothing before Kyverno knows
  /// what the removal depends on, and knows what of its writes depends on what.
  ///
  /// @param unlisted policies that are there although they were not listed
  /// @param going what is known of each shield that it removes
  public static Plan guard(
      Plan plan,
      ExpectedPolicies expectedPolicies,
      ActualPolicies actualPolicies,
      Set<PolicyId> unlisted,
      Map<PolicyId, Going> going,
      Propagation propagation) {
    var stays = stays(plan, expectedPolicies, actualPolicies, unlisted);
    var withheld = new ArrayList<Withheld>();
    var kept = new ArrayList<Kept>();
    var waiting = new ArrayList<Waiting>();
    var changing = changing(plan);
    for (var action : plan.actions()) {
      if (action instanceof Action.Remove removal && !PolicyDependency.is(removal.id().kind())) {
        waiting(removal, removal.successors(), changing, propagation).ifPresent(waiting::add);
      }
    }
    var unknown = excluded(actualPolicies);
    for (var removal : going(plan)) {
      var id = removal.id();
      switch (unknown.orElse(going.getOrDefault(id, new Going.Unknown("not checked")))) {
        case Going.Unknown(var why) -> withheld.add(new Withheld(id, Guard.SERVES_UNKNOWN, why));
        case Going.Serves(var policies) -> {
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

  /// What the plan writes or removes, in this run or a later one.
  private static Set<PolicyId> changing(Plan plan) {
    return Stream.concat(plan.actions().stream(), plan.waiting().stream().map(Waiting::action))
        .map(Action::id)
        .collect(Collectors.toSet());
  }

  /// The removal as one of a later run, where this run changes something that it depends on, or an
  /// earlier one has just done so: an object that is gone does not tell since when.
  private static Optional<Waiting> waiting(
      Action.Remove removal,
      Set<PolicyId> others,
      Set<PolicyId> changing,
      Propagation propagation) {
    var open = others.stream().filter(changing::contains).toList();
    var depends = PolicyDependency.is(removal.id().kind()) || !removal.successors().isEmpty();
    return open.isEmpty() && (!depends || propagation.reachedChanges())
        ? Optional.empty()
        : Optional.of(new Waiting(removal, open));
  }

  /// Of kinds that the settings exclude nobody knows which policies there are.
  private static Optional<Going> excluded(ActualPolicies actualPolicies) {
    return PolicyKind.all().stream()
        .filter(kind -> kind.role() == PolicyKind.Role.POLICY && !kind.builtIn())
        .filter(kind -> actualPolicies.of(kind) instanceof Listing.Excluded)
        .map(kind -> kind.label() + " is in EXCLUDE_KINDS")
        .reduce((one, other) -> one + ", " + other)
        .map(Going.Unknown::new);
  }

  private static Map<PolicyId, Stay> stays(
      Plan plan,
      ExpectedPolicies expectedPolicies,
      ActualPolicies actualPolicies,
      Set<PolicyId> unlisted) {
    var wanted = new HashSet<PolicyId>();
    expectedPolicies.policies().forEach(policy -> wanted.add(policy.id()));
    var stuck = new HashSet<PolicyId>();
    plan.conflicts().forEach(conflict -> stuck.add(conflict.id()));
    plan.rejected().forEach(rejected -> rejected.id().ifPresent(stuck::add));
    plan.withheld().forEach(held -> stuck.add(held.id()));
    var ignored = plan.ignored().stream().map(Plan.Ignored::id).collect(Collectors.toSet());
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
