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
    var manifests = new HashMap<PolicyId, Policy>();
    expectedPolicies.policies().forEach(policy -> manifests.put(policy.id(), policy));
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
      result(outcome, inSync)
          .ifPresent(result -> add(byName, outcome.action().id().name(), result));
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
    outcomes.forEach(outcome -> unheard.remove(outcome.action().id()));
    plan.actions().forEach(action -> unheard.remove(action.id()));
    return unheard;
  }

  private static SortedSet<PolicyId> inSync(Plan plan, List<Outcome> outcomes) {
    var inSync = new TreeSet<>(plan.unchanged());
    for (var outcome : outcomes) {
      if (outcome instanceof Outcome.Done(Action.Write write, _)) {
        inSync.add(write.id());
      }
    }
    return inSync;
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
    return plan.conflicts().stream().anyMatch(conflict -> such.test(conflict.id()))
        || plan.rejected().stream().anyMatch(rejected -> rejected.id().filter(such).isPresent())
        || plan.withheld().stream().anyMatch(withheld -> such.test(withheld.id()))
        || plan.kept().stream().anyMatch(kept -> such.test(kept.id()));
  }

  /// A status that the API did not take. A failure that is over by now is not worth telling.
  private static PolicyStatus again(
      PolicyStatus unsent, Set<PolicyId> inSync, Map<PolicyId, Policy> manifests, Instant now) {
    var body =
        unsent.policies().stream()
            .map(id -> body(id, Optional.ofNullable(manifests.get(id))))
            .collect(joining("---\n"));
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
  private static Optional<Result> result(Outcome outcome, SortedSet<PolicyId> inSync) {
    var id = outcome.action().id();
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
      String name, List<Result> results, Map<PolicyId, Policy> manifests, Instant now) {
    var failures = results.stream().flatMap(result -> result.problem().stream()).toList();
    var applied = results.stream().anyMatch(result -> result.operation() == Operation.APPLY);
    var policies =
        results.stream()
            .filter(result -> !applied || result.operation() == Operation.APPLY)
            .flatMap(result -> result.id().stream())
            .distinct()
            .toList();
    var body =
        policies.stream()
            .map(id -> body(id, Optional.ofNullable(manifests.get(id))))
            .collect(joining("---\n"));
    return new PolicyStatus(
        name,
        applied ? Operation.APPLY : Operation.DELETE,
        failures.isEmpty(),
        now,
        body,
        String.join("\n", failures),
        policies);
  }

  private static String body(PolicyId id, Optional<Policy> manifest) {
    return YamlText.write(manifest.map(Policy::content).orElseGet(() -> identity(id)));
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
