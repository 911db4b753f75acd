package dev.policysync.bench;

import dev.policysync.testcluster.AuditLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What one run asked of both servers.
///
/// @param verbs of the API server's audit log, and `discovery`; with how often
/// @param writes how many of them could have changed something
record Requests(Map<String, Integer> verbs, int writes, FeedServer.Counts api) {
  static Requests of(List<AuditLog.Entry> entries, FeedServer.Counts api) {
    var verbs = new TreeMap<String, Integer>();
    for (var entry : entries) {
      verbs.merge(verb(entry), 1, Integer::sum);
    }
    var writes = (int) entries.stream().filter(AuditLog.Entry::write).count();
    return new Requests(Map.copyOf(verbs), writes, api);
  }

  private static String verb(AuditLog.Entry entry) {
    if (entry.resource().isEmpty()) {
      return "discovery";
    }
    return entry.dryRun() ? entry.verb() + " (dry run)" : entry.verb();
  }

  /// `1 discovery, 21 list, 1 feed`.
  String text() {
    var parts = new ArrayList<String>();
    new TreeMap<>(verbs).forEach((verb, count) -> parts.add(count + " " + verb));
    if (api.feeds() > 0) {
      parts.add(api.feeds() + " feed");
    }
    if (api.statuses() > 0) {
      parts.add(api.statuses() + " status");
    }
    return String.join(", ", parts);
  }

  /// Whether they are what a run with nothing to do may ask: the feed once, discovery once, pages
  /// of lists, at most one request more, and no write.
  boolean idle() {
    var more = 0;
    for (var verb : verbs.entrySet()) {
      if (!verb.getKey().equals("list")) {
        more += verb.getValue();
      }
    }
    return writes == 0 && api.feeds() == 1 && api.statuses() == 0 && more <= 2;
  }
}
