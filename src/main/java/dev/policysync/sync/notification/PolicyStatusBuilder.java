package dev.policysync.sync.notification;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toList;

import dev.policysync.json.Value;
import dev.policysync.plan.Action;
import dev.policysync.plan.Plan;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.feed.ExpectedPolicies;
import dev.policysync.policy.feed.Feed;
import dev.policysync.sync.execution.Outcome;
import dev.policysync.sync.state.PolicyStatus;
import dev.policysync.sync.state.PolicyStatus.Operation;
import dev.policysync.sync.state.RunState;
import dev.policysync.yaml.YamlText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// What the remote API is told of a run: one status a name, for what changed or failed in this run,
/// or in an earlier one that could not tell. Several policies of one name share it; the worst
/// result wins, and its output names kinds and namespaces.
///
/// A status depends on nothing but the plan and how the policies of that name fared: it is final
/// when the last of them has ended, whatever others are still to be written.
public final class PolicyStatusBuilder {
  private final Feed feed;
  private final Plan plan;
  private final Map<String, List<Plan.Rejected>> rejected = new LinkedHashMap<>();
  private final Map<String, PolicyStatus> unsent = new LinkedHashMap<>();
  private final Map<String, List<PolicyId>> unheard;
  private final Set<String> names = new LinkedHashSet<>();
  private final Map<PolicyId, List<Policy>> manifests = new HashMap<>();
  private final Map<String, List<PolicyId>> unchanged;

  /// @param feed which the policies are expected by
  public PolicyStatusBuilder(
      Feed feed, ExpectedPolicies expectedPolicies, Plan plan, RunState runState) {
    this.feed = feed;
    this.plan = plan;
    runState.unsent().forEach(status -> unsent.put(status.name(), status));
    for (var policy : plan.rejected()) {
      policy
          .name()
          .ifPresent(name -> rejected.computeIfAbsent(name, _ -> new ArrayList<>()).add(policy));
    }
    this.unheard = byName(endedUnheard(runState).stream());
    names.addAll(unsent.keySet());
    names.addAll(rejected.keySet());
    plan.actions().forEach(action -> ofFeed(action.id()).ifPresent(id -> names.add(id.name())));
    names.addAll(unheard.keySet());
    for (var policy : expectedPolicies.policies()) {
      ofFeed(policy.id())
          .filter(id -> names.contains(id.name()))
          .ifPresent(id -> manifests.computeIfAbsent(id, _ -> new ArrayList<>()).add(policy));
    }
    this.unchanged =
        byName(
            plan.unchanged().stream()
                .flatMap(id -> ofFeed(id).stream())
                .filter(id -> names.contains(id.name())));
  }

  /// All names of which there may be a status.
  public Set<String> names() {
    return Collections.unmodifiableSet(names);
  }

  /// What is to be told of that name, if anything.
  ///
  /// @param outcomes how the policies of that name fared, all that the plan writes
  public Optional<PolicyStatus> of(String name, List<Outcome> outcomes, Instant now) {
    var inSync = inSync(name, outcomes);
    var results = new ArrayList<Result>();
    for (var policy : rejected.getOrDefault(name, List.of())) {
      var problem = policy.label() + ": " + policy.failure().reason();
      results.add(new Result(Operation.APPLY, policy.id(), Optional.of(problem)));
    }
    for (var outcome : outcomes) {
      result(outcome, plan.ofFeed(outcome.action().id()), inSync).ifPresent(results::add);
    }
    for (var id : unheard.getOrDefault(name, List.of())) {
      interrupted(id, inSync).ifPresent(results::add);
    }
    return results.isEmpty()
        ? Optional.ofNullable(unsent.get(name)).map(status -> again(status, inSync, now))
        : Optional.of(merge(name, results, now));
  }

  /// The manifests that it is about, as the feed has them, or as much of them as names what was
  /// removed. A policy that has no text of its own there is written anew.
  public String body(PolicyStatus status) {
    return status.policies().stream().map(this::body).collect(joining("---\n"));
  }

  /// What the API will not know to be well after that status: policies of which it is told a
  /// failure, which may be over without another write, and those of which nothing is known now.
  ///
  /// @param outcomes how the policies of that name fared, all that the plan writes
  /// @param status what the API is told of that name, if anything
  public Set<PolicyId> open(String name, List<Outcome> outcomes, Optional<PolicyStatus> status) {
    var inSync = inSync(name, outcomes);
    var open = new TreeSet<>(unheard.getOrDefault(name, List.of()));
    open.removeIf(id -> interrupted(id, inSync).isPresent());
    status.filter(told -> !told.success()).ifPresent(told -> open.addAll(told.policies()));
    return open;
  }

  /// The policy as the feed knows it; empty for one that only rehearses what that does.
  private Optional<PolicyId> ofFeed(PolicyId id) {
    return plan.rehearses(id) ? Optional.empty() : Optional.of(plan.ofFeed(id));
  }

  private static Map<String, List<PolicyId>> byName(Stream<PolicyId> ids) {
    return ids.collect(groupingBy(PolicyId::name, LinkedHashMap::new, toList()));
  }

  /// Policies that an earlier run left open and this one has nothing to do with.
  private Set<PolicyId> endedUnheard(RunState runState) {
    var unheard = new TreeSet<>(runState.begun());
    plan.actions().forEach(action -> ofFeed(action.id()).ifPresent(unheard::remove));
    return unheard;
  }

  private SortedSet<PolicyId> inSync(String name, List<Outcome> outcomes) {
    var inSync = new TreeSet<>(unchanged.getOrDefault(name, List.of()));
    for (var outcome : outcomes) {
      if (outcome instanceof Outcome.Done(Action.Write write, _)) {
        inSync.add(plan.ofFeed(write.id()));
      }
    }
    return inSync;
  }

  /// How a write ended of which the API does not know that it ended well: what is in sync was
  /// applied, and what is neither expected nor there was removed. Anything else may still change.
  ///
  /// The API knows names only: it is told of a removal where nothing of that name is left.
  private Optional<Result> interrupted(PolicyId id, SortedSet<PolicyId> inSync) {
    if (inSync.contains(id)) {
      return Optional.of(new Result(Operation.APPLY, Optional.of(id), Optional.empty()));
    }
    Predicate<PolicyId> namesake = other -> other.name().equals(id.name());
    var another = inSync.stream().filter(namesake).findFirst();
    if (anyMayBeThere(another.isPresent() ? id::equals : namesake)
        || plan.unlistable().stream().anyMatch(none -> none.kind().equals(id.kind().label()))) {
      return Optional.empty();
    }
    var operation = another.isPresent() ? Operation.APPLY : Operation.DELETE;
    return Optional.of(new Result(operation, Optional.of(another.orElse(id)), Optional.empty()));
  }

  /// Whether such a policy is there, or expected to be, and not in sync.
  private boolean anyMayBeThere(Predicate<PolicyId> such) {
    return plan.conflicts().stream().anyMatch(conflict -> such.test(plan.ofFeed(conflict.id())))
        || plan.rejected().stream()
            .anyMatch(rejected -> rejected.id().map(plan::ofFeed).filter(such).isPresent())
        || plan.withheld().stream().anyMatch(withheld -> such.test(plan.ofFeed(withheld.id())))
        || plan.kept().stream().anyMatch(kept -> such.test(plan.ofFeed(kept.id())));
  }

  /// A status that the API did not take. A failure that is over by now is not worth telling.
  private static PolicyStatus again(PolicyStatus unsent, Set<PolicyId> inSync, Instant now) {
    var over =
        !unsent.success() && !unsent.policies().isEmpty() && inSync.containsAll(unsent.policies());
    return over
        ? new PolicyStatus(unsent.name(), Operation.APPLY, true, now, "", unsent.policies())
        : unsent;
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

  private static PolicyStatus merge(String name, List<Result> results, Instant now) {
    var failures = results.stream().flatMap(result -> result.problem().stream()).toList();
    var applied = results.stream().anyMatch(result -> result.operation() == Operation.APPLY);
    var policies =
        results.stream()
            .filter(result -> !applied || result.operation() == Operation.APPLY)
            .flatMap(result -> result.id().stream())
            .distinct()
            .toList();
    return new PolicyStatus(
        name,
        applied ? Operation.APPLY : Operation.DELETE,
        failures.isEmpty(),
        now,
        String.join("\n", failures),
        policies);
  }

  private String body(PolicyId id) {
    var written = manifests.getOrDefault(id, List.of());
    return written.isEmpty()
        ? YamlText.write(identity(id))
        : written.stream()
            .map(policy -> feed.text(policy).orElseGet(() -> YamlText.write(policy.content())))
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
