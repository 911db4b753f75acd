package dev.policysync.remote.cluster.lease;

import static dev.policysync.remote.cluster.lease.RunStateFields.mappings;
import static dev.policysync.remote.cluster.lease.RunStateFields.policies;
import static dev.policysync.remote.cluster.lease.RunStateFields.required;
import static dev.policysync.remote.cluster.lease.RunStateFields.text;
import static dev.policysync.remote.cluster.lease.RunStateFields.time;
import static dev.policysync.remote.cluster.lease.RunStateFields.truth;

import dev.policysync.base.Value;
import dev.policysync.policy.PolicyId;
import dev.policysync.sync.PolicyStatus;
import dev.policysync.sync.PolicyStatus.Operation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;

/// Reads and writes statuses that the API has not accepted. Successes with the same time share an
/// entry; a failure's output is cut:
///
/// ```json
/// [{"action": "apply", "at": "2026-11-21T03:00:00Z", "success": true,
///   "policies": {"Policy.kyverno.io": ["shop/d", "shop/e"]}},
///  {"action": "apply", "at": "2026-11-21T03:00:00Z", "success": false, "name": "f",
///   "output": "ClusterPolicy/f: …", "policies": {"ClusterPolicy.kyverno.io": ["f"]}}]
/// ```
final class PolicyStatusJson {
  private static final int LONGEST_OUTPUT = 200;

  private PolicyStatusJson() {}

  static Value.Sequence write(List<PolicyStatus> statuses) {
    var entries = new ArrayList<Value>();
    var successes = new LinkedHashMap<Value.Mapping, List<PolicyId>>();
    for (var status : statuses) {
      if (status.success() && named(status)) {
        successes.computeIfAbsent(entry(status), _ -> new ArrayList<>()).addAll(status.policies());
      } else {
        var output = status.output();
        entries.add(
            entry(status)
                .with("name", status.name())
                .with("output", output.substring(0, Math.min(LONGEST_OUTPUT, output.length())))
                .with("policies", policies(status.policies())));
      }
    }
    successes.forEach((entry, all) -> entries.add(entry.with("policies", policies(all))));
    return new Value.Sequence(entries);
  }

  /// Returns whether the status's name can be derived from its policies.
  private static boolean named(PolicyStatus status) {
    return !status.policies().isEmpty()
        && status.policies().stream().allMatch(id -> id.name().equals(status.name()));
  }

  private static Value.Mapping entry(PolicyStatus status) {
    return Value.Mapping.EMPTY
        .with("at", time(status.at()))
        .with("action", status.operation().name().toLowerCase(Locale.ROOT))
        .with("success", new Value.Bool(status.success()));
  }

  static List<PolicyStatus> read(Value value) {
    return mappings(value).stream().flatMap(entry -> statuses(entry).stream()).toList();
  }

  private static List<PolicyStatus> statuses(Value.Mapping entry) {
    var byName = new LinkedHashMap<String, List<PolicyId>>();
    var name = entry.field("name").map(RunStateFields::text);
    name.ifPresent(it -> byName.put(it, new ArrayList<>()));
    for (var id : policies(required(entry, "policies"))) {
      byName.computeIfAbsent(name.orElse(id.name()), _ -> new ArrayList<>()).add(id);
    }
    var operation = operation(text(required(entry, "action")));
    var success = truth(required(entry, "success"));
    var at = time(required(entry, "at"));
    var output = entry.field("output").map(RunStateFields::text).orElse("");
    return byName.entrySet().stream()
        .map(named ->
            new PolicyStatus(named.getKey(), operation, success, at, output, named.getValue()))
        .toList();
  }

  private static Operation operation(String action) {
    return Operation.valueOf(action.toUpperCase(Locale.ROOT));
  }
}
