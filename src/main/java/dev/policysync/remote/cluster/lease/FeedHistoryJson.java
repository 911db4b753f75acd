package dev.policysync.remote.cluster.lease;

import static dev.policysync.remote.cluster.lease.RunStateFields.mapping;
import static dev.policysync.remote.cluster.lease.RunStateFields.mappings;
import static dev.policysync.remote.cluster.lease.RunStateFields.required;
import static dev.policysync.remote.cluster.lease.RunStateFields.text;
import static dev.policysync.remote.cluster.lease.RunStateFields.time;

import dev.policysync.base.Value;
import dev.policysync.plan.FeedHistory;
import dev.policysync.plan.SourceName;
import dev.policysync.policy.Digest;
import java.time.Instant;
import java.util.List;

/// Reads and writes a [FeedHistory]:
///
/// ```json
/// {"older": {"at": "2026-11-21T03:00:00Z", "feed": "sha256:9e10…"}, "source": "acme/prod-1",
///  "written": [{"at": "2026-11-21T02:55:00Z", "feed": "sha256:fcde…"}]}
/// ```
final class FeedHistoryJson {
  private FeedHistoryJson() {}

  static Value.Mapping write(FeedHistory feeds) {
    if (feeds.equals(FeedHistory.NONE)) {
      return Value.Mapping.EMPTY;
    }
    List<Value> written =
        feeds.written().stream().<Value>map(each -> feed(each.feed(), each.at())).toList();
    var fields =
        Value.Mapping.EMPTY
            .with("source", feeds.source().text())
            .with("written", new Value.Sequence(written));
    return feeds
        .older()
        .map(older -> fields.with("older", feed(older.feed(), older.since())))
        .orElse(fields);
  }

  private static Value.Mapping feed(Digest digest, Instant at) {
    return Value.Mapping.EMPTY.with("feed", digest.text()).with("at", time(at));
  }

  static FeedHistory read(Value value) {
    var fields = mapping(value);
    return new FeedHistory(
        new SourceName(text(required(fields, "source"))),
        mappings(required(fields, "written")).stream()
            .map(entry -> new FeedHistory.Written(digest(entry), time(required(entry, "at"))))
            .toList(),
        fields
            .field("older")
            .map(RunStateFields::mapping)
            .map(older -> new FeedHistory.Older(digest(older), time(required(older, "at")))));
  }

  private static Digest digest(Value.Mapping entry) {
    return new Digest(text(required(entry, "feed")));
  }
}
