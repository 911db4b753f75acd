package dev.policysync.remote.cluster.lease;

import static dev.policysync.remote.cluster.lease.RunStateFields.count;
import static dev.policysync.remote.cluster.lease.RunStateFields.mappings;
import static dev.policysync.remote.cluster.lease.RunStateFields.policies;
import static dev.policysync.remote.cluster.lease.RunStateFields.required;
import static dev.policysync.remote.cluster.lease.RunStateFields.texts;
import static dev.policysync.remote.cluster.lease.RunStateFields.time;

import dev.policysync.base.Value;
import dev.policysync.plan.DriftHistory;
import dev.policysync.policy.PolicyId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.TreeSet;

/// Reads and writes a [DriftHistory], with at most 100 entries:
///
/// ```json
/// [{"by": ["argocd"], "last": "2026-11-21T03:00:00Z",
///   "policies": {"ClusterPolicy.kyverno.io": ["c"]}, "times": 2}]
/// ```
final class DriftHistoryJson {
  private static final int MOST_REPAIRS = 100;

  private DriftHistoryJson() {}

  static Value.Sequence write(DriftHistory repairs) {
    return new Value.Sequence(
        repairs.series().entrySet().stream()
            .skip(Math.max(0, repairs.series().size() - MOST_REPAIRS))
            .<Value>map(entry ->
                Value.Mapping.EMPTY
                    .with("policies", policies(List.of(entry.getKey())))
                    .with("by", texts(entry.getValue().by()))
                    .with("times", Value.Numeric.of(entry.getValue().times()))
                    .with("last", time(entry.getValue().last())))
            .toList());
  }

  static DriftHistory read(Value value) {
    var repairs = new LinkedHashMap<PolicyId, DriftHistory.Series>();
    for (var entry : mappings(value)) {
      var series =
          new DriftHistory.Series(
              new TreeSet<>(texts(required(entry, "by"))),
              count(required(entry, "times")),
              time(required(entry, "last")));
      policies(required(entry, "policies")).forEach(id -> repairs.put(id, series));
    }
    return new DriftHistory(repairs);
  }
}
