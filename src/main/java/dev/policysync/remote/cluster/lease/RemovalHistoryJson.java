package dev.policysync.remote.cluster.lease;

import static dev.policysync.remote.cluster.lease.RunStateFields.count;
import static dev.policysync.remote.cluster.lease.RunStateFields.mapping;
import static dev.policysync.remote.cluster.lease.RunStateFields.mappings;
import static dev.policysync.remote.cluster.lease.RunStateFields.required;
import static dev.policysync.remote.cluster.lease.RunStateFields.texts;
import static dev.policysync.remote.cluster.lease.RunStateFields.time;

import dev.policysync.base.Value;
import dev.policysync.plan.RemovalHistory;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/// Reads and writes a [RemovalHistory] as fields of the run state itself:
///
/// ```json
/// {"ownedBefore": 20,
///  "removed": [{"at": "2026-11-21T03:00:00Z", "count": 2, "owned": 22}],
///  "removing": ["7a1e…", "9c04…"],
///  "unreadableSince": "2026-11-21T03:00:00Z",
///  "waiting": {"approved": ["2f6b…"], "approvedAt": "2026-11-21T03:00:00Z",
///              "changed": "2026-11-21T03:00:00Z"},
///  "withheld": {"at": "2026-11-21T03:00:00Z", "count": 5}}
/// ```
final class RemovalHistoryJson {
  private RemovalHistoryJson() {}

  static Value.Mapping write(RemovalHistory removals) {
    var removed =
        removals.removed().stream()
            .<Value>map(entry ->
                Value.Mapping.EMPTY
                    .with("at", time(entry.slot()))
                    .with("count", Value.Numeric.of(entry.count()))
                    .with("owned", Value.Numeric.of(entry.owned())))
            .toList();
    var withheld =
        removals
            .withheld()
            .map(held ->
                Value.Mapping.EMPTY
                    .with("at", time(held.at()))
                    .with("count", Value.Numeric.of(held.count())))
            .orElse(Value.Mapping.EMPTY);
    var fields =
        Value.Mapping.EMPTY
            .with("removed", new Value.Sequence(removed))
            .with("removing", texts(removals.begun()))
            .with("waiting", deferred(removals))
            .with("withheld", withheld);
    var measured =
        removals
            .ownedBefore()
            .map(owned -> fields.with("ownedBefore", Value.Numeric.of(owned)))
            .orElse(fields);
    return removals
        .gap()
        .flatMap(RemovalHistory.Gap::since)
        .map(since -> measured.with("unreadableSince", time(since)))
        .orElse(measured);
  }

  static RemovalHistory read(RunStateFields fields) {
    return new RemovalHistory(
        fields.read("ownedBefore", Optional.empty(), value -> Optional.of(count(value))),
        fields.read(
            "withheld",
            Optional.empty(),
            value ->
                Optional.of(mapping(value))
                    .map(held ->
                        new RemovalHistory.Withheld(
                            count(required(held, "count")), time(required(held, "at"))))),
        fields.read(
            "removed",
            List.of(),
            value -> mappings(value).stream().map(RemovalHistoryJson::removed).toList()),
        new TreeSet<>(fields.read("removing", List.<String>of(), RunStateFields::texts)),
        fields.read(
            "unreadableSince",
            Optional.empty(),
            value -> Optional.of(RemovalHistory.Gap.since(time(value)))),
        fields.read("waiting", Optional.empty(), value -> Optional.of(deferred(mapping(value)))));
  }

  private static Value deferred(RemovalHistory removals) {
    return removals
        .deferred()
        .map(deferred ->
            Value.Mapping.EMPTY
                .with("approved", texts(deferred.approved()))
                .with("approvedAt", time(deferred.approvedAt()))
                .with("changed", time(deferred.changed())))
        .orElse(Value.Mapping.EMPTY);
  }

  private static RemovalHistory.Deferred deferred(Value.Mapping fields) {
    return new RemovalHistory.Deferred(
        time(required(fields, "changed")),
        new TreeSet<>(texts(required(fields, "approved"))),
        time(required(fields, "approvedAt")));
  }

  private static RemovalHistory.Removed removed(Value.Mapping entry) {
    return new RemovalHistory.Removed(
        time(required(entry, "at")),
        count(required(entry, "count")),
        count(required(entry, "owned")));
  }
}
