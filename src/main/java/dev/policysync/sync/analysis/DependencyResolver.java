package dev.policysync.sync.analysis;

import dev.policysync.base.Parallel;
import dev.policysync.base.Value;
import dev.policysync.plan.Action;
import dev.policysync.plan.ActualPolicies;
import dev.policysync.plan.ExceptionGuard;
import dev.policysync.plan.ExceptionGuard.ServedPolicies;
import dev.policysync.plan.LivePolicy;
import dev.policysync.plan.Plan;
import dev.policysync.plan.PlanDraft;
import dev.policysync.plan.Propagation;
import dev.policysync.plan.ShieldedWrites;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.feed.ExpectedPolicies;
import dev.policysync.policy.kyverno.PolicyDependency;
import dev.policysync.sync.execution.Cancellation;
import dev.policysync.sync.execution.ClusterUnavailable;
import dev.policysync.sync.execution.PolicyStore;
import dev.policysync.sync.execution.StrictnessCheck;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Finds out which policies the plan's exceptions and context entries serve, so that no shield is
/// removed before its policies, and no policy becomes stricter without its shield. [ExceptionGuard]
/// decides.
///
/// Only a shield that the plan removes is read from the cluster, and for a context entry also the
/// policies that may use it.
public final class DependencyResolver {
  private final PolicyStore store;
  private final StrictnessCheck strictnessCheck;
  private final Cancellation stop;
  private final int concurrency;

  public DependencyResolver(
      PolicyStore store, StrictnessCheck strictnessCheck, Cancellation stop, int concurrency) {
    this.store = store;
    this.strictnessCheck = strictnessCheck;
    this.stop = stop;
    this.concurrency = concurrency;
  }

  /// Returns the plan with those writes postponed that would make a policy stricter before Kyverno
  /// knows its shields.
  public Plan postpone(
      Plan plan,
      ExpectedPolicies expectedPolicies,
      ActualPolicies actualPolicies,
      Propagation propagation) {
    var early =
        ShieldedWrites.early(plan, expectedPolicies, actualPolicies, propagation).stream()
            .filter(waiting ->
                waiting.action() instanceof Action.Write write && strictnessCheck.mayTighten(write))
            .toList();
    return early.isEmpty() ? plan : PlanDraft.of(plan).postpone(early).plan();
  }

  /// Returns the plan without the actions that would leave a policy in force without its shield, or
  /// remove a policy before its successor is in force, as far as Kyverno knows.
  ///
  /// @param seenBefore policies in an earlier list of this run
  public Plan guard(
      Plan plan,
      ExpectedPolicies expectedPolicies,
      ActualPolicies actualPolicies,
      Set<PolicyId> seenBefore,
      Propagation propagation) {
    var writes = new HashMap<PolicyId, Action.Write>();
    for (var action : plan.actions()) {
      if (action instanceof Action.Write write) {
        writes.put(write.id(), write);
      }
    }
    var held =
        ShieldedWrites.unshielded(plan, expectedPolicies).stream()
            .filter(withheld -> {
              var write = writes.get(withheld.id());
              return write != null && strictnessCheck.mayTighten(write);
            })
            .toList();
    var shielded = plan.withholding(held);
    var listed = actualPolicies.byId();
    var unlisted =
        ExceptionGuard.shieldRemovals(shielded).isEmpty()
            ? Set.<PolicyId>of()
            : unlisted(listed.keySet(), seenBefore);
    var question = ExceptionGuard.inQuestion(shielded, expectedPolicies, actualPolicies, unlisted);
    return ExceptionGuard.guard(
        shielded,
        expectedPolicies,
        actualPolicies,
        unlisted,
        going(shielded, question, listed),
        propagation);
  }

  /// Returns the policies from an earlier list of this run that still exist, but are missing from
  /// the last list because it is older than the first one.
  private Set<PolicyId> unlisted(Set<PolicyId> listed, Set<PolicyId> seenBefore) {
    var missing = new TreeSet<>(seenBefore);
    missing.removeAll(listed);
    missing.removeIf(id -> id.kind().role() != PolicyKind.Role.POLICY);
    return readAll(missing, Map.of()).entrySet().stream()
        .filter(answer -> !(answer.getValue() instanceof Read.Gone))
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  private Map<PolicyId, ServedPolicies> going(
      Plan plan, Set<PolicyId> question, Map<PolicyId, LivePolicy> listed) {
    var removals = ExceptionGuard.shieldRemovals(plan);
    if (removals.isEmpty()) {
      return Map.of();
    }
    var shields = readAll(removals.stream().map(Action::id).toList(), listed);
    var going = new HashMap<PolicyId, ServedPolicies>();
    Optional<Map<PolicyId, Read>> texts = Optional.empty();
    for (var entry : shields.entrySet()) {
      var id = entry.getKey();
      switch (entry.getValue()) {
        case Read.Failed(var why) -> going.put(id, new ServedPolicies.Unknown(why));
        case Read.Gone() -> going.put(id, new ServedPolicies.Serves(Set.of()));
        case Read.Says(var object) -> {
          var policyDependency = PolicyDependency.of(id.kind(), object);
          if (policyDependency.needsPolicyContent() && texts.isEmpty()) {
            texts = Optional.of(readAll(question, listed));
          }
          going.put(id, served(policyDependency, question, texts.orElse(Map.of())));
        }
      }
    }
    return going;
  }

  private static ServedPolicies served(
      PolicyDependency policyDependency, Set<PolicyId> question, Map<PolicyId, Read> texts) {
    if (policyDependency.doubt().isPresent()) {
      return new ServedPolicies.Unknown(policyDependency.doubt().get());
    }
    var served = new HashSet<PolicyId>();
    for (var policy : question) {
      var says = Value.Mapping.EMPTY;
      if (policyDependency.needsPolicyContent()) {
        switch (texts.getOrDefault(policy, new Read.Gone())) {
          case Read.Failed(var why) -> {
            return new ServedPolicies.Unknown(why);
          }
          case Read.Gone() -> {
            continue;
          }
          case Read.Says(var object) -> says = object;
        }
      }
      if (policyDependency.serves(policy, says)) {
        served.add(policy);
      }
    }
    return new ServedPolicies.Serves(served);
  }

  /// @param listed the policies as they were listed; a policy that has changed since then counts as
  ///   unreadable
  private Map<PolicyId, Read> readAll(Collection<PolicyId> ids, Map<PolicyId, LivePolicy> listed) {
    return Parallel.map(
        ids, concurrency, "reading policies", id -> read(id, Optional.ofNullable(listed.get(id))));
  }

  private Read read(PolicyId id, Optional<LivePolicy> listed) {
    var stopped = stop.reason();
    if (stopped.isPresent()) {
      return new Read.Failed(stopped.get().toString());
    }
    try {
      var read = store.read(id);
      return listed.isEmpty() || read.filter(object -> says(object, listed.get())).isPresent()
          ? read.<Read>map(Read.Says::new).orElseGet(Read.Gone::new)
          : new Read.Failed("it changed since it was listed");
    } catch (ClusterUnavailable e) {
      return new Read.Failed(e.failure().reason());
    }
  }

  /// Returns whether the object has the content that was listed: content of another generation
  /// differs. Status and labels may differ.
  private static boolean says(Value.Mapping object, LivePolicy listed) {
    var metadata = object.mapping("metadata");
    return metadata.text("uid").orElse("").equals(listed.objectVersion().uid())
        && (metadata.fields().get("generation") instanceof Value.Numeric(var literal)
            ? literal.equals(Long.toString(listed.generation()))
            : listed.generation() == 0);
  }

  private sealed interface Read {
    record Says(Value.Mapping object) implements Read {}

    record Gone() implements Read {}

    record Failed(String why) implements Read {}
  }
}
