package dev.policysync.sync;

import dev.policysync.diff.PolicyDiff;
import dev.policysync.plan.Action;
import dev.policysync.policy.PolicyId;
import dev.policysync.sync.execution.Cancellation;
import dev.policysync.sync.execution.Outcome;
import dev.policysync.sync.execution.PolicyStore;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What each write of a dry run would change, field by field.
record WriteDiffs(PolicyStore store, Cancellation stop) {

  /// @return by policy; empty if the run has to stop before all are compared
  /// @throws dev.policysync.sync.execution.ClusterUnavailable if one cannot be found out
  Optional<Map<PolicyId, PolicyDiff>> of(List<Outcome> outcomes) {
    var changes = new LinkedHashMap<PolicyId, PolicyDiff>();
    for (var outcome : outcomes) {
      if (outcome instanceof Outcome.Done(Action.Write write, _)) {
        if (stop.reason().isPresent()) {
          return Optional.empty();
        }
        var preview = store.preview(write);
        changes.put(write.id(), PolicyDiff.between(preview.before(), preview.after()));
      }
    }
    return Optional.of(changes);
  }
}
