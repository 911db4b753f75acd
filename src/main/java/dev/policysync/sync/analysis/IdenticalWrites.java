package dev.policysync.sync.analysis;

import dev.policysync.base.Parallel;
import dev.policysync.plan.Action;
import dev.policysync.policy.PolicyId;
import dev.policysync.sync.execution.Cancellation;
import dev.policysync.sync.execution.ClusterUnavailable;
import dev.policysync.sync.execution.PolicyStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Finds out from the API server which policies an apply would not change. For a policy that is not
/// ours, our ownership annotations may change ([dev.policysync.plan.Adoption#IDENTICAL]); a policy
/// of ours may not change at all.
public final class IdenticalWrites {
  private static final Logger LOG = LoggerFactory.getLogger(IdenticalWrites.class);

  private final PolicyStore store;
  private final Cancellation stop;
  private final int concurrency;

  public IdenticalWrites(PolicyStore store, Cancellation stop, int concurrency) {
    this.store = store;
    this.stop = stop;
    this.concurrency = concurrency;
  }

  /// Returns the policies that an apply would not change. A policy with an unknown result is left
  /// out.
  public Set<PolicyId> of(List<Action.Update> updates) {
    return having(Optional.of(true), answers(updates));
  }

  /// The result of comparing policies.
  ///
  /// @param altered policies that an apply would change
  /// @param unknown policies that could not be compared
  public record Compared(Set<PolicyId> altered, Set<PolicyId> unknown) {}

  public Compared compare(List<Action.Update> updates) {
    var answers = answers(updates);
    return new Compared(having(Optional.of(false), answers), having(Optional.empty(), answers));
  }

  private Map<Action.Update, Optional<Boolean>> answers(List<Action.Update> updates) {
    return Parallel.map(updates, concurrency, "comparing policies", this::identical);
  }

  private static Set<PolicyId> having(
      Optional<Boolean> answer, Map<Action.Update, Optional<Boolean>> answers) {
    return answers.entrySet().stream()
        .filter(found -> found.getValue().equals(answer))
        .map(found -> found.getKey().id())
        .collect(Collectors.toSet());
  }

  private Optional<Boolean> identical(Action.Update update) {
    if (stop.reason().isPresent()) {
      return Optional.empty();
    }
    try {
      var preview = store.preview(update);
      return Optional.of(
          update.cause() == Action.Cause.ADOPTED
              ? preview.changesMarksOnly()
              : preview.changesNothing());
    } catch (ClusterUnavailable e) {
      LOG.atWarn()
          .addKeyValue("policy", update.id())
          .addKeyValue("reason", e.failure().reason())
          .log("Policy cannot be compared");
      return Optional.empty();
    }
  }
}
