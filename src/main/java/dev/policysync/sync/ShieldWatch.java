package dev.policysync.sync;

import dev.policysync.plan.Action;
import dev.policysync.plan.Actual;
import dev.policysync.plan.LivePolicy;
import dev.policysync.plan.Plan;
import dev.policysync.plan.ShieldGuard;
import dev.policysync.plan.ShieldGuard.Going;
import dev.policysync.policy.Expected;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.Shield;
import dev.policysync.yaml.Value;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;

/// Finds out which policies a plan's exceptions and context entries serve, so that none goes before
/// them and none is missing when they begin to block; [ShieldGuard] decides.
///
/// Only a shield that is to go is read from the cluster, and where that is a context entry the
/// policies that may read it.
final class ShieldWatch {
  private final PolicyStore store;
  private final Strictness strictness;
  private final StopSign stop;
  private final int concurrency;

  ShieldWatch(PolicyStore store, Strictness strictness, StopSign stop, int concurrency) {
    this.store = store;
    this.strictness = strictness;
    this.stop = stop;
    this.concurrency = concurrency;
  }

  /// The plan without what would leave a policy in force without its shield.
  ///
  /// @param seenBefore policies that this run has listed before
  Plan guard(Plan plan, Expected expected, Actual actual, Set<PolicyId> seenBefore) {
    var writes = new HashMap<PolicyId, Action.Write>();
    for (var action : plan.actions()) {
      if (action instanceof Action.Write write) {
        writes.put(write.id(), write);
      }
    }
    var held =
        ShieldGuard.unshielded(plan, expected).stream()
            .filter(withheld -> {
              var write = writes.get(withheld.id());
              return write != null && strictness.mayTighten(write);
            })
            .toList();
    var shielded = plan.withholding(held);
    var listed = actual.byId();
    var unlisted =
        ShieldGuard.going(shielded).isEmpty()
            ? Set.<PolicyId>of()
            : unlisted(listed.keySet(), seenBefore);
    var question = ShieldGuard.inQuestion(shielded, expected, actual, unlisted);
    return ShieldGuard.guard(
        shielded, expected, actual, unlisted, going(shielded, question, listed));
  }

  /// Policies that this run has seen and that are there, though the last list does not have them:
  /// it is older than the first one.
  private Set<PolicyId> unlisted(Set<PolicyId> listed, Set<PolicyId> seenBefore) {
    var missing = new TreeSet<>(seenBefore);
    missing.removeAll(listed);
    missing.removeIf(id -> id.kind().role() != PolicyKind.Role.POLICY);
    return readAll(missing, Map.of()).entrySet().stream()
        .filter(answer -> !(answer.getValue() instanceof Read.Gone))
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  private Map<PolicyId, Going> going(
      Plan plan, Set<PolicyId> question, Map<PolicyId, LivePolicy> listed) {
    var removals = ShieldGuard.going(plan);
    if (removals.isEmpty()) {
      return Map.of();
    }
    var shields = readAll(removals.stream().map(Action::id).toList(), listed);
    var going = new HashMap<PolicyId, Going>();
    Optional<Map<PolicyId, Read>> texts = Optional.empty();
    for (var entry : shields.entrySet()) {
      var id = entry.getKey();
      switch (entry.getValue()) {
        case Read.Failed(var why) -> going.put(id, new Going.Unknown(why));
        case Read.Gone() -> going.put(id, new Going.Serves(Set.of()));
        case Read.Says(var object) -> {
          var shield = Shield.of(id.kind(), object);
          if (shield.askedByText() && texts.isEmpty()) {
            texts = Optional.of(readAll(question, listed));
          }
          going.put(id, served(shield, question, texts.orElse(Map.of())));
        }
      }
    }
    return going;
  }

  private static Going served(Shield shield, Set<PolicyId> question, Map<PolicyId, Read> texts) {
    if (shield.doubt().isPresent()) {
      return new Going.Unknown(shield.doubt().get());
    }
    var served = new HashSet<PolicyId>();
    for (var policy : question) {
      var says = Value.Mapping.EMPTY;
      if (shield.askedByText()) {
        switch (texts.getOrDefault(policy, new Read.Gone())) {
          case Read.Failed(var why) -> {
            return new Going.Unknown(why);
          }
          case Read.Gone() -> {
            continue;
          }
          case Read.Says(var object) -> says = object;
        }
      }
      if (shield.serves(policy, says)) {
        served.add(policy);
      }
    }
    return new Going.Serves(served);
  }

  /// @param listed as what they were listed
  private Map<PolicyId, Read> readAll(
      Iterable<PolicyId> ids, Map<PolicyId, LivePolicy> listed) {
    // Platform threads: a virtual one blocked in a socket keeps the JVM from ending at once.
    try (var threads = Executors.newFixedThreadPool(concurrency)) {
      var pending = new LinkedHashMap<PolicyId, Future<Read>>();
      for (var id : ids) {
        Callable<Read> task = () -> read(id, Optional.ofNullable(listed.get(id)));
        pending.put(id, threads.submit(task));
      }
      var read = new LinkedHashMap<PolicyId, Read>();
      pending.forEach((id, answer) -> read.put(id, result(answer)));
      return read;
    }
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
          : new Read.Failed("it is not what was listed a moment before");
    } catch (ClusterUnavailable e) {
      return new Read.Failed(e.failure().reason());
    }
  }

  /// Whether an object says what was listed: another generation says something else. Its status and
  /// its labels may be others.
  private static boolean says(Value.Mapping object, LivePolicy listed) {
    var metadata = object.mapping("metadata");
    return metadata.text("uid").orElse("").equals(listed.version().uid())
        && (metadata.fields().get("generation") instanceof Value.Numeric(var literal)
            ? literal.equals(Long.toString(listed.generation()))
            : listed.generation() == 0);
  }

  private static Read result(Future<Read> answer) {
    try {
      return answer.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while reading policies", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("reading a policy failed unexpectedly", e.getCause());
    }
  }

  /// What came back for an object.
  private sealed interface Read {
    record Says(Value.Mapping object) implements Read {}

    record Gone() implements Read {}

    record Failed(String why) implements Read {}
  }
}
