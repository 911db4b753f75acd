package dev.policysync.sync.notification;

import static java.util.stream.Collectors.joining;

import dev.policysync.json.Value;
import dev.policysync.plan.Action;
import dev.policysync.plan.Plan;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.feed.ExpectedPolicies;
import dev.policysync.sync.execution.Outcome;
import dev.policysync.sync.state.PolicyStatus;
import dev.policysync.sync.state.PolicyStatus.Operation;
import dev.policysync.sync.state.RunState;
import dev.policysync.yaml.YamlText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/// What the remote API is told after a run: one status a name, for what changed or failed in this
/// run, or in an earlier one that could not tell. Several policies of one name share it; the worst
/// result wins, and its output names kinds and namespaces.
public final class PolicyStatusBuilder {
  private PolicyStatusBuilder() {}

  public static List<PolicyStatus> of(
      ExpectedPolicies expectedPolicies,
      Plan plan,
      List<Outcome> outcomes,
      RunState runState,
      Instant now) {
    var manifests = new HashMap<PolicyId, List<Policy>>();
    for (var policy : expectedPolicies.policies()) {
      if (!plan.rehearses(policy.id())) {
        manifests.computeIfAbsent(plan.ofFeed(policy.id()), _ -> new ArrayList<>()).add(policy);
      }
    }
    var byName = new LinkedHashMap<String, List<Result>>();
    for (var rejected : plan.rejected()) {
      rejected
          .name()
          .ifPresent(name ->
              add(
                  byName,
                  name,
                  new Result(
                      Operation.APPLY,
                      rejected.id(),
                      Optional.of(rejected.label() + ": " + rejected.failure().reason()))));
    }
    var inSync = inSync(plan, outcomes);
    for (var outcome : outcomes) {
      if (!plan.rehearses(outcome.action().id())) {
        var id = plan.ofFeed(outcome.action().id());
        result(outcome, id, inSync).ifPresent(result -> add(byName, id.name(), result));
      }
    }
    for (var id : endedUnheard(plan, outcomes, runState)) {
      interrupted(id, plan, inSync).ifPresent(result -> add(byName, id.name(), result));
    }
    var statuses = new ArrayList<PolicyStatus>();
    for (var unsent : runState.unsent()) {
      if (!byName.containsKey(unsent.name())) {
        statuses.add(again(unsent, inSync, manifests, now));
      }
    }
    byName.forEach((name, results) -> statuses.add(merge(name, results, manifests, now)));
    return List.copyOf(statuses);
  }

  /// Policies that an earlier run left open and this one had nothing to do with.
  private static Set<PolicyId> endedUnheard(Plan plan, List<Outcome> outcomes, RunState runState) {
    var unheard = new TreeSet<>(runState.begun());
    outcomes.forEach(outcome -> unheard.remove(plan.ofFeed(outcome.action().id())));
    plan.actions().forEach(action -> unheard.remove(plan.ofFeed(action.id())));
    return unheard;
  }

  private static SortedSet<PolicyId> inSync(Plan plan, List<Outcome> outcomes) {
    var inSync = new TreeSet<PolicyId>();
    plan.unchanged().forEach(id -> add(id, plan, inSync));
    for (var outcome : outcomes) {
      if (outcome instanceof Outcome.Done(Action.Write write, _)) {
        add(write.id(), plan, inSync);
      }
    }
    return inSync;
  }

  private static void add(PolicyId id, Plan plan, Set<PolicyId> inSync) {
    if (!plan.rehearses(id)) {
      inSync.add(plan.ofFeed(id));
    }
  }

  /// What the API will not know to be well after these statuses: policies of which it is told a
  /// failure, which may be over without another write, and those of which nothing is known now.
  public static Set<PolicyId> open(
      Plan plan, List<Outcome> outcomes, RunState runState, List<PolicyStatus> statuses) {
    var inSync = inSync(plan, outcomes);
    var open = endedUnheard(plan, outcomes, runState);
    open.removeIf(id -> interrupted(id, plan, inSync).isPresent());
    statuses.stream()
        .filter(status -> !status.success())
        .forEach(status -> open.addAll(status.policies()));
    return open;
  }

  /// How a write ended of which the API does not know that it ended well: what is in sync was
  /// applied, and what is neither expected nor there was removed. Anything else may still change.
  ///
  /// The API knows names only: it is told of a removal where nothing of that name is left.
  private static Optional<Result> interrupted(PolicyId id, Plan plan, SortedSet<PolicyId> inSync) {
    if (inSync.contains(id)) {
      return Optional.of(new Result(Operation.APPLY, Optional.of(id), Optional.empty()));
    }
    Predicate<PolicyId> namesake = other -> other.name().equals(id.name());
    var another = inSync.stream().filter(namesake).findFirst();
    if (anyMayBeThere(another.isPresent() ? id::equals : namesake, plan)
        || plan.unlistable().stream().anyMatch(none -> none.kind().equals(id.kind().label()))) {
      return Optional.empty();
    }
    var operation = another.isPresent() ? Operation.APPLY : Operation.DELETE;
    return Optional.of(new Result(operation, Optional.of(another.orElse(id)), Optional.empty()));
  }

  /// Whether such a policy is there, or expected to be, and not in sync.
  private static boolean anyMayBeThere(Predicate<PolicyId> such, Plan plan) {
    return plan.conflicts().stream().anyMatch(conflict -> such.test(plan.ofFeed(conflict.id())))
        || plan.rejected().stream()
            .anyMatch(rejected -> rejected.id().map(plan::ofFeed).filter(such).isPresent())
        || plan.withheld().stream().anyMatch(withheld -> such.test(plan.ofFeed(withheld.id())))
        || plan.kept().stream().anyMatch(kept -> such.test(plan.ofFeed(kept.id())));
  }

  /// A status that the API did not take. A failure that is over by now is not worth telling.
  private static PolicyStatus again(
      PolicyStatus unsent,
      Set<PolicyId> inSync,
      Map<PolicyId, List<Policy>> manifests,
      Instant now) {
    var body = unsent.policies().stream().map(id -> body(id, manifests)).collect(joining("---\n"));
    var over =
        !unsent.success() && !unsent.policies().isEmpty() && inSync.containsAll(unsent.policies());
    return over
        ? new PolicyStatus(unsent.name(), Operation.APPLY, true, now, body, "", unsent.policies())
        : unsent.withBody(body);
  }

  private static void add(Map<String, List<Result>> byName, String name, Result result) {
    byName.computeIfAbsent(name, _ -> new ArrayList<>()).add(result);
  }

  /// Where one of several policies of a name was removed, the API is told of those that are left.
  ///
  /// @param id of the policy of the feed
  private static Optional<Result> result(Outcome outcome, PolicyId id, SortedSet<PolicyId> inSync) {
    if (outcome instanceof Outcome.Done(Action.Remove _, _)) {
      var left = inSync.stream().filter(other -> other.name().equals(id.name())).findFirst();
      if (left.isPresent()) {
        return Optional.of(new Result(Operation.APPLY, left, Optional.empty()));
      }
    }
    var operation = outcome.action() instanceof Action.Remove ? Operation.DELETE : Operation.APPLY;
    return switch (outcome) {
      case Outcome.Done _ -> Optional.of(new Result(operation, Optional.of(id), Optional.empty()));
      case Outcome.Failed(_, var failure) ->
          Optional.of(
              new Result(operation, Optional.of(id), Optional.of(id + ": " + failure.reason())));
      case Outcome.NotAttempted _, Outcome.Settled _, Outcome.Dropped _ -> Optional.empty();
    };
  }

  private static PolicyStatus merge(
      String name, List<Result> results, Map<PolicyId, List<Policy>> manifests, Instant now) {
    var failures = results.stream().flatMap(result -> result.problem().stream()).toList();
    var applied = results.stream().anyMatch(result -> result.operation() == Operation.APPLY);
    var policies =
        results.stream()
            .filter(result -> !applied || result.operation() == Operation.APPLY)
            .flatMap(result -> result.id().stream())
            .distinct()
            .toList();
    var body = policies.stream().map(id -> body(id, manifests)).collect(joining("---\n"));
    return new PolicyStatus(
        name,
        applied ? Operation.APPLY : Operation.DELETE,
        failures.isEmpty(),
        now,
        body,
        String.join("\n", failures),
        policies);
  }

  private static String body(PolicyId id, Map<PolicyId, List<Policy>> manifests) {
    var written = manifests.getOrDefault(id, List.of());
    return written.isEmpty()
        ? YamlText.write(identity(id))
        : written.stream()
            .map(policy -> YamlText.write(policy.content()))
            .collect(joining("---\n"));
  }

  /// As much of a removed object as the feed still tells: its name.
  private static Value.Mapping identity(PolicyId id) {
    var metadata = Value.Mapping.EMPTY.with("name", new Value.Text(id.name()));
    var placed =
        id.namespace()
            .map(namespace -> metadata.with("namespace", new Value.Text(namespace)))
            .orElse(metadata);
    return Value.Mapping.EMPTY
        .with(
            "apiVersion", new Value.Text(id.kind().group() + "/" + id.kind().versions().getFirst()))
        .with("kind", new Value.Text(id.kind().kind()))
        .with("metadata", placed);
  }

  private record Result(Operation operation, Optional<PolicyId> id, Optional<String> problem) {}
}
