package dev.policysync.sync;

import dev.policysync.plan.Action;
import dev.policysync.plan.Actual;
import dev.policysync.plan.Plan;
import dev.policysync.plan.ShieldGuard;
import dev.policysync.plan.ShieldGuard.Going;
import dev.policysync.policy.Expected;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.Shield;
import dev.policysync.yaml.Value;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

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
  Plan guard(Plan plan, Expected expected, Actual actual) {
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
    return ShieldGuard.guard(shielded, expected, actual, going(shielded, expected, actual));
  }

  private Map<PolicyId, Going> going(Plan plan, Expected expected, Actual actual) {
    var removals = ShieldGuard.going(plan);
    if (removals.isEmpty()) {
      return Map.of();
    }
    var question = ShieldGuard.inQuestion(plan, expected, actual);
    var shields = readAll(removals.stream().map(Action::id).toList());
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
            texts = Optional.of(readAll(question));
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

  private Map<PolicyId, Read> readAll(Iterable<PolicyId> ids) {
    // Platform threads: a virtual one blocked in a socket keeps the JVM from ending at once.
    try (var threads = Executors.newFixedThreadPool(concurrency)) {
      var pending = new LinkedHashMap<PolicyId, Future<Read>>();
      for (var id : ids) {
        Callable<Read> task = () -> read(id);
        pending.put(id, threads.submit(task));
      }
      var read = new LinkedHashMap<PolicyId, Read>();
      pending.forEach((id, answer) -> read.put(id, result(answer)));
      return read;
    }
  }

  private Read read(PolicyId id) {
    var stopped = stop.reason();
    if (stopped.isPresent()) {
      return new Read.Failed(stopped.get().toString());
    }
    try {
      return store.read(id).<Read>map(Read.Says::new).orElseGet(Read.Gone::new);
    } catch (ClusterUnavailable e) {
      return new Read.Failed(e.failure().reason());
    }
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
