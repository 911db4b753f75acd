package dev.policysync.remote.cluster.lease;

import static dev.policysync.remote.cluster.lease.RunStateFields.count;
import static dev.policysync.remote.cluster.lease.RunStateFields.mappings;
import static dev.policysync.remote.cluster.lease.RunStateFields.policies;
import static dev.policysync.remote.cluster.lease.RunStateFields.required;
import static dev.policysync.remote.cluster.lease.RunStateFields.time;

import dev.policysync.base.Value;
import dev.policysync.policy.PolicyId;
import dev.policysync.sync.execution.FailureHistory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.TreeMap;

/// Reads and writes a [FailureHistory]. Policies that have failed in the same runs share an entry:
///
/// ```json
/// [{"policies": {"ClusterPolicy.kyverno.io": ["c"]}, "runs": 7, "since": "2026-11-21T03:00:00Z"}]
/// ```
final class FailureHistoryJson {
  private FailureHistoryJson() {}

  static Value.Sequence write(FailureHistory failures) {
    var together = new LinkedHashMap<FailureHistory.Streak, List<PolicyId>>();
    failures
        .streaks()
        .forEach((id, streak) -> together.computeIfAbsent(streak, _ -> new ArrayList<>()).add(id));
    return new Value.Sequence(
        together.entrySet().stream()
            .<Value>map(entry ->
                Value.Mapping.EMPTY
                    .with("policies", policies(entry.getValue()))
                    .with("since", time(entry.getKey().since()))
                    .with("runs", Value.Numeric.of(entry.getKey().runs())))
            .toList());
  }

  static FailureHistory read(Value value) {
    var streaks = new TreeMap<PolicyId, FailureHistory.Streak>();
    for (var entry : mappings(value)) {
      var streak =
          new FailureHistory.Streak(time(required(entry, "since")), count(required(entry, "runs")));
      policies(required(entry, "policies")).forEach(id -> streaks.put(id, streak));
    }
    return new FailureHistory(streaks);
  }
}
