package dev.policysync.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;

/// What many clusters in which nothing changes ask of the API: the feed, once every five minutes
/// each.
final class Fleet {
  private static final int CLUSTERS = 10_000;
  private static final double INTERVAL = 300;

  /// Of the runs of an hour, eleven of twelve ask for what has another ETag.
  private static final double WHOLE = 1.0 / 12;

  /// Headers of an answer without a body, about.
  private static final int NOT_MODIFIED = 300;

  private Fleet() {}

  /// A row for each number of policies, of the same texts as are measured.
  static String table(ExamplePolicies policies, List<Integer> sizes) throws IOException {
    var table =
        new Table(
            "policies", "feed", "compressed", "requests", "bytes", "compressed", "with an ETag");
    for (var size : sizes) {
      var feed = policies.feed(size, 0).getBytes(UTF_8);
      var compressed = compressed(feed);
      table.row(
          String.format(Locale.ROOT, "%,d", size),
          bytes(feed.length),
          bytes(compressed),
          String.format(Locale.ROOT, "%.0f/s", CLUSTERS / INTERVAL),
          perSecond(feed.length),
          perSecond(compressed),
          perSecond(compressed * WHOLE + NOT_MODIFIED * (1 - WHOLE)));
    }
    return table.text();
  }

  private static String perSecond(double bytes) {
    return bytes(bytes * CLUSTERS / INTERVAL) + "/s";
  }

  /// `312 kB`, `9.4 MB`
  private static String bytes(double bytes) {
    var unit = bytes < 1e6 ? "kB" : "MB";
    var number = bytes < 1e6 ? bytes / 1e3 : bytes / 1e6;
    return String.format(Locale.ROOT, number < 10 ? "%.1f %s" : "%.0f %s", number, unit);
  }

  private static int compressed(byte[] feed) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(bytes)) {
      gzip.write(feed);
    }
    return bytes.size();
  }
}
