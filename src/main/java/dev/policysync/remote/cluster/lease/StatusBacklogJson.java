package dev.policysync.remote.cluster.lease;

import static dev.policysync.remote.cluster.lease.RunStateFields.mapping;
import static dev.policysync.remote.cluster.lease.RunStateFields.mappings;
import static dev.policysync.remote.cluster.lease.RunStateFields.policies;
import static dev.policysync.remote.cluster.lease.RunStateFields.required;
import static dev.policysync.remote.cluster.lease.RunStateFields.text;

import dev.policysync.base.Value;
import dev.policysync.plan.SourceName;
import dev.policysync.policy.Digest;
import dev.policysync.policy.PolicyId;
import dev.policysync.sync.StatusBacklog;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/// Reads and writes the statuses that the API has not accepted yet, per source. Policies with the
/// same reason for a conflict share an entry:
///
/// ```json
/// [{"source": "acme/prod-1",
///   "begun": {"ClusterPolicy.kyverno.io": ["a", "b"]},
///   "conflicts": {"sha256:2c26…": {"ClusterPolicy.kyverno.io": ["c"]}},
///   "unsent": […]}]
/// ```
final class StatusBacklogJson {
  private static final Value.Sequence NO_ITEMS = new Value.Sequence(List.of());

  private StatusBacklogJson() {}

  static Value.Sequence write(List<StatusBacklog> backlogs) {
    return new Value.Sequence(backlogs.stream().<Value>map(StatusBacklogJson::write).toList());
  }

  private static Value.Mapping write(StatusBacklog backlog) {
    var fields = new LinkedHashMap<String, Value>();
    fields.put("source", new Value.Text(backlog.source().text()));
    fields.put("begun", policies(backlog.begun()));
    fields.put("conflicts", conflicts(backlog.conflicts()));
    fields.put("unsent", PolicyStatusJson.write(backlog.unsent()));
    fields.values().removeIf(value -> value.equals(Value.Mapping.EMPTY) || value.equals(NO_ITEMS));
    return new Value.Mapping(fields);
  }

  private static Value.Mapping conflicts(Map<PolicyId, Digest> conflicts) {
    var byReason = new TreeMap<String, List<PolicyId>>();
    conflicts.forEach(
        (id, reason) -> byReason.computeIfAbsent(reason.text(), _ -> new ArrayList<>()).add(id));
    var fields = new LinkedHashMap<String, Value>();
    byReason.forEach((reason, ids) -> fields.put(reason, policies(ids)));
    return new Value.Mapping(fields);
  }

  static List<StatusBacklog> read(Value value) {
    return mappings(value).stream().map(StatusBacklogJson::backlog).toList();
  }

  private static StatusBacklog backlog(Value.Mapping entry) {
    var conflicts = new TreeMap<PolicyId, Digest>();
    mapping(field(entry, "conflicts", Value.Mapping.EMPTY))
        .fields()
        .forEach((text, ids) -> {
          var reason = new Digest(text);
          policies(ids).forEach(id -> conflicts.put(id, reason));
        });
    return new StatusBacklog(
        new SourceName(text(required(entry, "source"))),
        new TreeSet<>(policies(field(entry, "begun", Value.Mapping.EMPTY))),
        PolicyStatusJson.read(field(entry, "unsent", NO_ITEMS)),
        conflicts);
  }

  private static Value field(Value.Mapping entry, String name, Value none) {
    return entry.field(name).orElse(none);
  }
}
