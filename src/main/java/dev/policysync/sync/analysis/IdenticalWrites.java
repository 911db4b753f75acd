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

/// Asks the API server which policies an apply would leave as they are: those that are not ours but
/// for our marks ([dev.policysync.plan.Adoption#IDENTICAL]), ours altogether.
public final class IdenticalWrites {
  private static final Logger LOG = LoggerFactory.getLogger(IdenticalWrites.class);

  private final PolicyStore store;
  private final Cancellation stop;
  private final int concurrency;

  /// @param concurrency how many are asked for at a time
  public IdenticalWrites(PolicyStore store, Cancellation stop, int concurrency) {
    this.store = store;
    this.stop = stop;
    this.concurrency = concurrency;
  }

  /// The policies that an apply would leave as they are. One of which that cannot be found out is
  /// not among them.
  public Set<PolicyId> of(List<Action.Update> updates) {
    return having(Optional.of(true), answers(updates));
  }

  /// What came of comparing policies.
  ///
  /// @param altered those that an apply would change
  /// @param unknown those of which it could not be found out
  public record Compared(Set<PolicyId> altered, Set<PolicyId> unknown) {}

  /// Compares policies with what an apply would make of them.
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
