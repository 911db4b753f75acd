package dev.policysync.cluster.state;

import static dev.policysync.cluster.state.RunStateFields.time;

import dev.policysync.json.Value;
import dev.policysync.plan.history.FeedHistory;
import dev.policysync.plan.ownership.SourceName;
import dev.policysync.policy.Digest;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// A [FeedHistory]:
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
            .with("source", new Value.Text(feeds.source().text()))
            .with("written", new Value.Sequence(written));
    return feeds
        .older()
        .map(older -> fields.with("older", feed(older.feed(), older.since())))
        .orElse(fields);
  }

  private static Value.Mapping feed(Digest digest, Instant at) {
    return Value.Mapping.EMPTY.with("feed", new Value.Text(digest.text())).with("at", time(at));
  }

  static FeedHistory read(Value.Mapping fields) {
    var older = fields.mapping("older");
    return fields
        .text("source")
        .map(source ->
            new FeedHistory(
                new SourceName(source),
                fields.mappings("written").stream()
                    .flatMap(entry ->
                        digest(entry)
                            .map(feed -> new FeedHistory.Written(feed, time(entry, "at")))
                            .stream())
                    .toList(),
                digest(older).map(feed -> new FeedHistory.Older(feed, time(older, "at")))))
        .orElse(FeedHistory.NONE);
  }

  private static Optional<Digest> digest(Value.Mapping entry) {
    return entry.text("feed").map(Digest::new);
  }
}
