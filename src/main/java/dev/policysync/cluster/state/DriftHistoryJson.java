package dev.policysync.cluster.state;

import static dev.policysync.cluster.state.RunStateFields.number;
import static dev.policysync.cluster.state.RunStateFields.policies;
import static dev.policysync.cluster.state.RunStateFields.texts;
import static dev.policysync.cluster.state.RunStateFields.time;

import dev.policysync.json.Value;
import dev.policysync.plan.history.DriftHistory;
import dev.policysync.policy.PolicyId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.TreeSet;

/// A [DriftHistory], as much of it as matters:
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

  static DriftHistory read(List<Value.Mapping> entries) {
    var repairs = new LinkedHashMap<PolicyId, DriftHistory.Series>();
    for (var entry : entries) {
      for (var id : policies(entry.mapping("policies"))) {
        repairs.put(
            id,
            new DriftHistory.Series(
                new TreeSet<>(entry.texts("by")),
                number(entry, "times").orElse(0),
                time(entry, "last")));
      }
    }
    return new DriftHistory(repairs);
  }
}
