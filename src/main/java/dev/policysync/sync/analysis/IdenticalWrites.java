package dev.policysync.sync.analysis;

import dev.policysync.parallel.Parallel;
import dev.policysync.plan.Action;
import dev.policysync.policy.PolicyId;
import dev.policysync.sync.execution.Cancellation;
import dev.policysync.sync.execution.ClusterUnavailable;
import dev.policysync.sync.execution.PolicyStore;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Asks the API server which policies an apply would leave as they are: those that are not ours but
/// for our marks ([dev.policysync.plan.ownership.Adoption#IDENTICAL]), ours altogether.
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

  /// One of which that cannot be found out is not among them.
  public Set<PolicyId> of(List<Action.Update> updates) {
    return Parallel.map(updates, concurrency, "comparing policies", this::identical)
        .entrySet()
        .stream()
        .filter(found -> found.getValue())
        .map(found -> found.getKey().id())
        .collect(Collectors.toSet());
  }

  private boolean identical(Action.Update update) {
    if (stop.reason().isPresent()) {
      return false;
    }
    try {
      var preview = store.preview(update);
      return update.cause() == Action.Cause.ADOPTED
          ? preview.changesMarksOnly()
          : preview.changesNothing();
    } catch (ClusterUnavailable e) {
      LOG.atWarn()
          .addKeyValue("policy", update.id())
          .addKeyValue("reason", e.failure().reason())
          .log("Policy cannot be compared");
      return false;
    }
  }
}
