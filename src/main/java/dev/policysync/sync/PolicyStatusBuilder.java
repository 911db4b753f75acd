package dev.policysync.sync;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toList;

import dev.policysync.base.Value;
import dev.policysync.base.yaml.YamlText;
import dev.policysync.plan.Action;
import dev.policysync.plan.ListedPolicies;
import dev.policysync.plan.Plan;
import dev.policysync.policy.Digest;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.feed.ExpectedPolicies;
import dev.policysync.policy.feed.Feed;
import dev.policysync.sync.PolicyStatus.Operation;
import dev.policysync.sync.execution.Outcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/// What the remote API is told of a run: one status a name, for what changed or failed in this run,
/// or in an earlier one that could not tell, and once for a name that is taken. Several policies of
/// one name share it; the worst result wins, and its output names kinds and namespaces.
///
/// A status depends on nothing but the plan and how the policies of that name fared: it is final
/// when the last of them has ended, whatever others are still to be written. Nothing is called
/// removed that a list has (promise 12).
public final class PolicyStatusBuilder {
  private final Feed feed;
  private final Plan plan;
  private final ListedPolicies listed;
  private final StatusBacklog backlog;
  private final Map<String, List<Plan.Rejected>> rejected = new LinkedHashMap<>();
  private final Map<String, SortedMap<PolicyId, String>> conflicts = new LinkedHashMap<>();
  private final Map<String, PolicyStatus> unsent = new LinkedHashMap<>();
  private final Map<String, List<PolicyId>> unheard;
  private final Set<String> names = new LinkedHashSet<>();
  private final Map<PolicyId, List<Policy>> manifests = new HashMap<>();
  private final Map<String, List<PolicyId>> unchanged;
  private final Map<String, Set<PolicyId>> expected = new HashMap<>();
  private final Map<String, List<PolicyId>> inCluster = new HashMap<>();

  /// @param feed which the policies are expected by
  /// @param listed what the run has found in the cluster
  /// @param backlog what earlier runs left to tell
  public PolicyStatusBuilder(
      Feed feed,
      ExpectedPolicies expectedPolicies,
      Plan plan,
      ListedPolicies listed,
      StatusBacklog backlog) {
    this.feed = feed;
    this.plan = plan;
    this.listed = listed;
    this.backlog = backlog;
    for (var status : backlog.unsent()) {
      if (!isRemoval(status)) {
        unsent.put(status.name(), status);
      }
    }
    for (var policy : plan.rejectedOnTheirOwn()) {
      policy
          .name()
          .ifPresent(name -> rejected.computeIfAbsent(name, _ -> new ArrayList<>()).add(policy));
    }
    for (var conflict : plan.conflicts()) {
      ofFeed(conflict.id())
          .ifPresent(id ->
              conflicts
                  .computeIfAbsent(id.name(), _ -> new TreeMap<>())
                  .put(id, conflict.reason()));
    }
    this.unheard = byName(endedUnheard().stream());
    names.addAll(unsent.keySet());
    names.addAll(rejected.keySet());
    conflicts.keySet().stream().filter(name -> !knowsConflicts(name)).forEach(names::add);
    plan.actions().forEach(action -> ofFeed(action.id()).ifPresent(id -> names.add(id.name())));
    names.addAll(unheard.keySet());
    for (var policy : expectedPolicies.policies()) {
      ofFeed(policy.id())
          .filter(id -> names.contains(id.name()))
          .ifPresent(id -> manifests.computeIfAbsent(id, _ -> new ArrayList<>()).add(policy));
    }
    Stream.concat(
            manifests.keySet().stream(),
            plan.rejected().stream().flatMap(document -> document.id().stream()).map(plan::ofFeed))
        .forEach(id -> expected.computeIfAbsent(id.name(), _ -> new HashSet<>()).add(id));
    this.unchanged =
        byName(
            plan.unchanged().stream()
                .flatMap(id -> ofFeed(id).stream())
                .filter(id -> names.contains(id.name())));
    for (var id : listed.ids()) {
      ofFeed(id)
          .map(PolicyId::name)
          .filter(names::contains)
          .ifPresent(name -> inCluster.computeIfAbsent(name, _ -> new ArrayList<>()).add(id));
    }
  }

  /// All names of which there may be a status.
  public Set<String> names() {
    return Collections.unmodifiableSet(names);
  }

  /// What is to be told of that name, if anything.
  ///
  /// @param outcomes how the policies of that name fared, all that the plan writes
  public Optional<PolicyStatus> of(String name, List<Outcome> outcomes, Instant now) {
    var results = results(name, outcomes);
    if (results.isEmpty() && knowsConflicts(name)) {
      return Optional.ofNullable(unsent.get(name))
          .map(status -> again(status, inSync(name, outcomes), now));
    }
    conflictsOf(name)
        .forEach((id, reason) ->
            results.add(
                new Result(Operation.APPLY, Optional.of(id), Optional.of(id + ": " + reason))));
    return Optional.of(merge(name, results, now));
  }

  /// What becomes of the policies of that name but for conflicts.
  private List<Result> results(String name, List<Outcome> outcomes) {
    var inSync = inSync(name, outcomes);
    var results = new ArrayList<Result>();
    for (var policy : rejected.getOrDefault(name, List.of())) {
      var problem = policy.label() + ": " + policy.failure().reason();
      results.add(new Result(Operation.APPLY, policy.id(), Optional.of(problem)));
    }
    for (var outcome : outcomes) {
      result(outcome, inSync, outcomes).ifPresent(results::add);
    }
    for (var id : unheard.getOrDefault(name, List.of())) {
      interrupted(id, inSync, outcomes).ifPresent(results::add);
    }
    return results;
  }

  /// The manifests that it is about, as the feed has them, or as much of them as names what was
  /// removed. A policy that has no text of its own there is written anew.
  public String body(PolicyStatus status) {
    return status.policies().stream().map(this::body).collect(joining("---\n"));
  }

  /// What the API will not know to be well after that status: policies of which it is told a
  /// failure, which may be over without another write, and those of which nothing is known now.
  /// Conflicts are not among them.
  ///
  /// @param outcomes how the policies of that name fared, all that the plan writes
  /// @param status what the API is told of that name, if anything
  public Set<PolicyId> open(String name, List<Outcome> outcomes, Optional<PolicyStatus> status) {
    var inSync = inSync(name, outcomes);
    var open = new TreeSet<>(unheard.getOrDefault(name, List.of()));
    open.removeIf(id -> isDetached(id) || interrupted(id, inSync, outcomes).isPresent());
    for (var outcome : outcomes) {
      if (outcome instanceof Outcome.Done && result(outcome, inSync, outcomes).isEmpty()) {
        open.add(plan.ofFeed(outcome.action().id()));
      }
    }
    var failing =
        conflictsOf(name).isEmpty()
            || results(name, outcomes).stream().anyMatch(result -> result.problem().isPresent());
    status
        .filter(told -> failing && !told.success())
        .ifPresent(told -> open.addAll(told.policies()));
    open.removeAll(conflictsOf(name).keySet());
    open.removeIf(this::wasAConflict);
    return open;
  }

  /// What the API knows to be conflicts once it has taken the status of each name.
  public Map<PolicyId, Digest> conflicts() {
    var all = new HashMap<>(backlog.conflicts());
    all.keySet().removeIf(id -> !wasAConflict(id));
    conflicts.values().forEach(of -> of.forEach((id, reason) -> all.put(id, digest(reason))));
    return all;
  }

  /// Whether it was a conflict when its kind was listed last, and is not listed now.
  private boolean wasAConflict(PolicyId id) {
    return backlog.conflicts().containsKey(id) && !listed.kinds().contains(id.kind());
  }

  private SortedMap<PolicyId, String> conflictsOf(String name) {
    return conflicts.getOrDefault(name, Collections.emptySortedMap());
  }

  /// Whether the API was told of all conflicts of that name, for the reasons that they have now.
  private boolean knowsConflicts(String name) {
    return conflictsOf(name).entrySet().stream()
        .allMatch(conflict ->
            digest(conflict.getValue()).equals(backlog.conflicts().get(conflict.getKey())));
  }

  private static Digest digest(String reason) {
    return Digest.of(reason.getBytes(UTF_8));
  }

  /// The policy as the feed knows it; empty for one that only rehearses what that does.
  private Optional<PolicyId> ofFeed(PolicyId id) {
    return plan.rehearses(id) ? Optional.empty() : Optional.of(plan.ofFeed(id));
  }

  private static Map<String, List<PolicyId>> byName(Stream<PolicyId> ids) {
    return ids.collect(groupingBy(PolicyId::name, LinkedHashMap::new, toList()));
  }

  /// Policies that an earlier run left open, knew to be conflicts or removed without being able to
  /// tell, and this one has nothing to do with.
  private Set<PolicyId> endedUnheard() {
    var unheard = new TreeSet<>(backlog.begun());
    backlog.unsent().stream()
        .filter(PolicyStatusBuilder::isRemoval)
        .forEach(status -> unheard.addAll(status.policies()));
    unheard.addAll(backlog.conflicts().keySet());
    plan.actions().forEach(action -> ofFeed(action.id()).ifPresent(unheard::remove));
    conflicts.values().forEach(of -> unheard.removeAll(of.keySet()));
    return unheard;
  }

  /// It may have been created anew since.
  private static boolean isRemoval(PolicyStatus status) {
    return status.operation() == Operation.DELETE && status.success();
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
  private Optional<Result> interrupted(
      PolicyId id, SortedSet<PolicyId> inSync, List<Outcome> outcomes) {
    if (inSync.contains(id)) {
      return Optional.of(new Result(Operation.APPLY, Optional.of(id), Optional.empty()));
    }
    if (mayBeThere(id, outcomes)) {
      return Optional.empty();
    }
    return removed(id, inSync, outcomes);
  }

  /// What to tell of a policy that is gone: where one of the same name is in force, that it is; and
  /// nothing where another one is in the cluster, or is to come, or may be in a kind whose list
  /// failed for the moment.
  private Optional<Result> removed(
      PolicyId id, SortedSet<PolicyId> inSync, List<Outcome> outcomes) {
    if (!inSync.isEmpty()) {
      return Optional.of(
          new Result(Operation.APPLY, Optional.of(inSync.getFirst()), Optional.empty()));
    }
    var another =
        expected.containsKey(id.name())
            || left(id.name(), outcomes).anyMatch(listed.marked()::contains)
            || plan.unlistable().stream().anyMatch(kind -> kind.failure().retryable());
    return another
        ? Optional.empty()
        : Optional.of(new Result(Operation.DELETE, Optional.of(id), Optional.empty()));
  }

  /// Whether that policy is expected or in the cluster, whoever owns it now, or in a kind of which
  /// there is no list.
  private boolean mayBeThere(PolicyId id, List<Outcome> outcomes) {
    return !listed.kinds().contains(id.kind())
        || expected.getOrDefault(id.name(), Set.of()).contains(id)
        || left(id.name(), outcomes).anyMatch(other -> plan.ofFeed(other).equals(id));
  }

  /// Whether it lost our mark and the feed does not have it: whatever becomes of it, it is not for
  /// us to tell.
  private boolean isDetached(PolicyId id) {
    return listed.ids().contains(id)
        && !listed.marked().contains(id)
        && !expected.getOrDefault(id.name(), Set.of()).contains(id);
  }

  /// What the lists have of that name, without what this run has removed since.
  private Stream<PolicyId> left(String name, List<Outcome> outcomes) {
    return inCluster.getOrDefault(name, List.of()).stream()
        .filter(id ->
            outcomes.stream()
                .noneMatch(outcome ->
                    outcome instanceof Outcome.Done(Action.Remove removal, _)
                        && removal.id().equals(id)));
  }

  /// A status that the API did not take. A failure that is over by now is not worth telling.
  private static PolicyStatus again(PolicyStatus unsent, Set<PolicyId> inSync, Instant now) {
    var over =
        !unsent.success() && !unsent.policies().isEmpty() && inSync.containsAll(unsent.policies());
    return over
        ? new PolicyStatus(unsent.name(), Operation.APPLY, true, now, "", unsent.policies())
        : unsent;
  }

  private Optional<Result> result(
      Outcome outcome, SortedSet<PolicyId> inSync, List<Outcome> outcomes) {
    var id = plan.ofFeed(outcome.action().id());
    var operation = outcome.action() instanceof Action.Remove ? Operation.DELETE : Operation.APPLY;
    return switch (outcome) {
      case Outcome.Done(Action.Remove _, _) -> removed(id, inSync, outcomes);
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
