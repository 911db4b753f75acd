package dev.policysync.sync.analysis;

import dev.policysync.plan.Action;
import dev.policysync.policy.PolicyId;
import dev.policysync.sync.execution.Cancellation;
import dev.policysync.sync.execution.ClusterUnavailable;
import dev.policysync.sync.execution.PolicyStore;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Asks the API server which policies that are not ours an apply would leave as they are, but for
/// our marks: [dev.policysync.plan.ownership.Adoption#IDENTICAL].
public final class AdoptionPreview {
  private static final Logger LOG = LoggerFactory.getLogger(AdoptionPreview.class);

  private final PolicyStore store;
  private final Cancellation stop;

  public AdoptionPreview(PolicyStore store, Cancellation stop) {
    this.store = store;
    this.stop = stop;
  }

  /// One of which that cannot be found out is not among them.
  public Set<PolicyId> identical(List<Action.Update> adoptions) {
    var identical = new HashSet<PolicyId>();
    for (var adoption : adoptions) {
      try {
        if (stop.reason().isEmpty() && store.preview(adoption).changesMarksOnly()) {
          identical.add(adoption.id());
        }
      } catch (ClusterUnavailable e) {
        LOG.atWarn()
            .addKeyValue("policy", adoption.id())
            .addKeyValue("reason", e.failure().reason())
            .log("Policy cannot be compared");
      }
    }
    return identical;
  }
}
