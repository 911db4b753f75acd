package dev.policysync.cluster.state;

import static dev.policysync.cluster.state.RunStateFields.number;
import static dev.policysync.cluster.state.RunStateFields.texts;
import static dev.policysync.cluster.state.RunStateFields.time;

import dev.policysync.json.Value;
import dev.policysync.plan.history.RemovalHistory;
import java.util.TreeSet;

/// A [RemovalHistory] as fields of the run state itself:
///
/// ```json
/// {"ownedBefore": 20,
///  "removed": [{"at": "2026-11-21T03:00:00Z", "count": 2, "owned": 22}],
///  "removing": ["7a1e…", "9c04…"],
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
            .with("withheld", withheld);
    return removals
        .ownedBefore()
        .map(owned -> fields.with("ownedBefore", Value.Numeric.of(owned)))
        .orElse(fields);
  }

  static RemovalHistory read(Value.Mapping fields) {
    var held = fields.mapping("withheld");
    return new RemovalHistory(
        number(fields, "ownedBefore"),
        number(held, "count").map(count -> new RemovalHistory.Withheld(count, time(held, "at"))),
        fields.mappings("removed").stream()
            .map(entry ->
                new RemovalHistory.Removed(
                    time(entry, "at"),
                    number(entry, "count").orElse(0),
                    number(entry, "owned").orElse(0)))
            .toList(),
        new TreeSet<>(fields.texts("removing")));
  }
}
