package dev.policysync.remote.cluster.lease;

import static dev.policysync.remote.cluster.lease.RunStateFields.mappings;
import static dev.policysync.remote.cluster.lease.RunStateFields.policies;
import static dev.policysync.remote.cluster.lease.RunStateFields.required;
import static dev.policysync.remote.cluster.lease.RunStateFields.text;
import static dev.policysync.remote.cluster.lease.RunStateFields.time;

import dev.policysync.base.Value;
import dev.policysync.policy.PolicyId;
import dev.policysync.sync.RecentErrors;
import dev.policysync.sync.RecentErrors.RecentError;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.TreeMap;

/// Reads and writes [RecentErrors]. Policies that fail for the same reason share an entry:
///
/// ```json
/// [{"policies": {"ClusterPolicy.kyverno.io": ["c"]}, "reason": "apply <policy>: HTTP 403, …",
///   "since": "2026-11-21T03:00:00Z"}]
/// ```
final class RecentErrorsJson {
  private RecentErrorsJson() {}

  static Value.Sequence write(RecentErrors errors) {
    var together = new LinkedHashMap<RecentError, List<PolicyId>>();
    errors
        .byPolicy()
        .forEach((id, error) -> together.computeIfAbsent(error, _ -> new ArrayList<>()).add(id));
    return new Value.Sequence(
        together.entrySet().stream()
            .<Value>map(entry ->
                Value.Mapping.EMPTY
                    .with("policies", policies(entry.getValue()))
                    .with("reason", entry.getKey().template())
                    .with("since", time(entry.getKey().since())))
            .toList());
  }

  static RecentErrors read(Value value) {
    var errors = new TreeMap<PolicyId, RecentError>();
    for (var entry : mappings(value)) {
      var error = new RecentError(time(required(entry, "since")), text(required(entry, "reason")));
      policies(required(entry, "policies")).forEach(id -> errors.put(id, error));
    }
    return new RecentErrors(errors);
  }
}
