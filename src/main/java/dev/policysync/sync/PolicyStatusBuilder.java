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

/// Creates the statuses that a run reports to the remote API, one per name. A name gets a status if
/// its policies changed or failed in this run, or in an earlier run that could not report it; a
/// conflict is reported once. Several policies of one name share a status: it contains the worst
/// result, and its output names kinds and namespaces.
///
/// A status depends only on the plan and the outcomes of the policies of that name: it is final
/// when the last of them has ended, even if other policies are still to be written. A policy that
/// is still listed is never reported as removed (promise 12).
final class PolicyStatusBuilder {
  private final Feed feed;
  private final Plan plan;
  private final ListedPolicies listed;
  private final StatusBacklog backlog;
  private final Map<String, List<Plan.Rejected>> rejected = new LinkedHashMap<>();
  private final Map<String, SortedMap<PolicyId, String>> conflicts = new LinkedHashMap<>();
  private final Map<String, PolicyStatus> unsent = new LinkedHashMap<>();
  private final Map<String, List<PolicyId>> unreported;
  private final Set<String> names = new LinkedHashSet<>();
  private final Map<PolicyId, List<Policy>> manifests = new HashMap<>();
  private final Map<String, List<PolicyId>> unchanged;
  private final Map<String, Set<PolicyId>> expected = new HashMap<>();
  private final Map<String, List<PolicyId>> inCluster = new HashMap<>();

  /// @param feed the feed that expects the policies
  /// @param listed the policies that the run found in the cluster
  /// @param backlog the statuses that earlier runs could not report
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
    for (var conflict : plan.problems().conflicts()) {
      ofFeed(conflict.id())
          .ifPresent(id ->
              conflicts
                  .computeIfAbsent(id.name(), _ -> new TreeMap<>())
                  .put(id, conflict.reason()));
    }
    this.unreported = byName(endedUnheard().stream());
    names.addAll(unsent.keySet());
    names.addAll(rejected.keySet());
    conflicts.keySet().stream().filter(name -> !knowsConflicts(name)).forEach(names::add);
    plan.actions().forEach(action -> ofFeed(action.id()).ifPresent(id -> names.add(id.name())));
    names.addAll(unreported.keySet());
    for (var policy : expectedPolicies.policies()) {
      ofFeed(policy.id())
          .filter(id -> names.contains(id.name()))
          .ifPresent(id -> manifests.computeIfAbsent(id, _ -> new ArrayList<>()).add(policy));
    }
    Stream.concat(
            manifests.keySet().stream(),
            plan.problems().rejected().stream()
                .flatMap(document -> document.id().stream())
                .map(plan::ofFeed))
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

  public Set<String> names() {
    return Collections.unmodifiableSet(names);
  }

  /// Returns the status of this name, if there is one to report.
  ///
  /// @param outcomes the outcomes of all policies of that name that the plan writes
  public Optional<PolicyStatus> statusOf(String name, List<Outcome> outcomes, Instant now) {
    var results = results(name, outcomes);
    if (results.isEmpty() && knowsConflicts(name)) {
      return Optional.ofNullable(unsent.get(name))
          .map(status -> resend(status, inSync(name, outcomes), now));
    }
    conflictsOf(name)
        .forEach((id, reason) ->
            results.add(
                new Result(Operation.APPLY, Optional.of(id), Optional.of(id + ": " + reason))));
    return Optional.of(merge(name, results, now));
  }

  /// Returns the results of the policies of this name, without conflicts.
  private List<Result> results(String name, List<Outcome> outcomes) {
    var inSync = inSync(name, outcomes);
    var results = new ArrayList<Result>();
    for (var policy : rejected.getOrDefault(name, List.of())) {
      var problem = policy.label() + ": " + policy.failure().reason();
      results.add(new Result(Operation.APPLY, policy.id().map(plan::ofFeed), Optional.of(problem)));
    }
    for (var outcome : outcomes) {
      result(outcome, inSync, outcomes).ifPresent(results::add);
    }
    for (var id : unreported.getOrDefault(name, List.of())) {
      interrupted(id, inSync, outcomes).ifPresent(results::add);
    }
    return results;
  }

  /// Returns the manifests for the status, as written in the feed, or just the identity of a
  /// removed policy. A policy without its own text in the feed is written as new YAML.
  public String body(PolicyStatus status) {
    return status.policies().stream().map(this::body).collect(joining("---\n"));
  }

  /// Returns the policies that the API will not know to be in sync after this status: policies with
  /// a reported failure, which may end without another write, and policies in an unknown state.
  /// Conflicts are not included.
  ///
  /// @param outcomes the outcomes of all policies of that name that the plan writes
  /// @param status the status that the API gets for that name, if any
  public Set<PolicyId> open(String name, List<Outcome> outcomes, Optional<PolicyStatus> status) {
    var inSync = inSync(name, outcomes);
    var open = new TreeSet<>(unreported.getOrDefault(name, List.of()));
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

  /// Returns the conflicts that the API knows once it has accepted all statuses.
  public Map<PolicyId, Digest> conflicts() {
    var all = new HashMap<>(backlog.conflicts());
    all.keySet().removeIf(id -> !wasAConflict(id));
    conflicts.values().forEach(of -> of.forEach((id, reason) -> all.put(id, digest(reason))));
    return all;
  }

  /// Returns whether the policy was a conflict when its kind was last listed, and its kind is not
  /// listed now.
  private boolean wasAConflict(PolicyId id) {
    return backlog.conflicts().containsKey(id) && !listed.kinds().contains(id.kind());
  }

  private SortedMap<PolicyId, String> conflictsOf(String name) {
    return conflicts.getOrDefault(name, Collections.emptySortedMap());
  }

  /// Returns whether the API knows all conflicts of this name, with their current reasons.
  private boolean knowsConflicts(String name) {
    return conflictsOf(name).entrySet().stream()
        .allMatch(conflict ->
            digest(conflict.getValue()).equals(backlog.conflicts().get(conflict.getKey())));
  }

  private static Digest digest(String reason) {
    return Digest.of(reason.getBytes(UTF_8));
  }

  /// Returns the policy under which the feed knows this one; empty for a rehearsal.
  private Optional<PolicyId> ofFeed(PolicyId id) {
    return plan.rehearses(id) ? Optional.empty() : Optional.of(plan.ofFeed(id));
  }

  private static Map<String, List<PolicyId>> byName(Stream<PolicyId> ids) {
    return ids.collect(groupingBy(PolicyId::name, LinkedHashMap::new, toList()));
  }

  /// Returns the policies that an earlier run left open, reported as conflicts, or removed without
  /// reporting it, and that this run does not write.
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

  /// Returns whether the status reports a removal. The policy may have been created again since.
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

  /// Returns the result of a write whose success the API may not know. A policy in sync was
  /// applied; a policy that is neither expected nor in the cluster was removed. Any other policy
  /// may still change.
  ///
  /// The API knows only names: a removal is reported only if no policy of that name remains.
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

  /// Returns the result for a policy that was removed. If a policy of the same name is in sync, the
  /// result reports that policy as applied. There is no result if another policy of that name is in
  /// the cluster, is still to be applied, or may exist in a kind that could not be listed for a
  /// temporary reason.
  private Optional<Result> removed(
      PolicyId id, SortedSet<PolicyId> inSync, List<Outcome> outcomes) {
    if (!inSync.isEmpty()) {
      return Optional.of(
          new Result(Operation.APPLY, Optional.of(inSync.getFirst()), Optional.empty()));
    }
    var another =
        expected.containsKey(id.name())
            || left(id.name(), outcomes).anyMatch(listed.marked()::contains)
            || plan.problems().unlistable().stream().anyMatch(kind -> kind.failure().retryable());
    return another
        ? Optional.empty()
        : Optional.of(new Result(Operation.DELETE, Optional.of(id), Optional.empty()));
  }

  /// Returns whether the policy is expected or in the cluster, whoever owns it now, or is of a kind
  /// that was not listed.
  private boolean mayBeThere(PolicyId id, List<Outcome> outcomes) {
    return !listed.kinds().contains(id.kind())
        || expected.getOrDefault(id.name(), Set.of()).contains(id)
        || left(id.name(), outcomes).anyMatch(other -> plan.ofFeed(other).equals(id));
  }

  /// Returns whether the policy lost our ownership annotation and is not in the feed. The agent no
  /// longer reports such a policy.
  private boolean isDetached(PolicyId id) {
    return listed.ids().contains(id)
        && !listed.marked().contains(id)
        && !expected.getOrDefault(id.name(), Set.of()).contains(id);
  }

  /// Returns the listed policies of this name without those that this run has removed.
  private Stream<PolicyId> left(String name, List<Outcome> outcomes) {
    return inCluster.getOrDefault(name, List.of()).stream()
        .filter(id ->
            outcomes.stream()
                .noneMatch(outcome ->
                    outcome instanceof Outcome.Done(Action.Remove removal, _)
                        && removal.id().equals(id)));
  }

  /// Returns the status to send again after the API did not accept it. A failure that has ended
  /// since then becomes a success.
  private static PolicyStatus resend(PolicyStatus unsent, Set<PolicyId> inSync, Instant now) {
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

  /// Returns the identity of a removed object. Nothing else of it is known any more.
  private static Value.Mapping identity(PolicyId id) {
    var metadata = Value.Mapping.EMPTY.with("name", id.name());
    var placed =
        id.namespace().map(namespace -> metadata.with("namespace", namespace)).orElse(metadata);
    return Value.Mapping.EMPTY
        .with("apiVersion", id.kind().group() + "/" + id.kind().versions().getFirst())
        .with("kind", id.kind().kind())
        .with("metadata", placed);
  }

  private record Result(Operation operation, Optional<PolicyId> id, Optional<String> problem) {}
}
