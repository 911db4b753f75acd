package dev.policysync.report;

import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/// Decides which of two reports on the same resource is used if both API groups have one.
///
/// When Kyverno switches to openreports.io, its reports in wgpolicyk8s.io remain and are never
/// updated; after a switch back, the same is true of those in openreports.io. So only the newer
/// report is used, as a whole: a result that is only in the older one belongs to a policy that no
/// longer exists. Of two equally new reports, the one in openreports.io is used.
///
/// The reports in openreports.io are read first and kept in a table of numbers, which takes 32 to
/// 64 bytes for each report where a `HashMap` takes 85. A stale report in wgpolicyk8s.io is not
/// even written to the spill file.
final class StaleReportFilter {
  /// The order in which report kinds are read: openreports.io first.
  public static final List<ReportKind> ORDER =
      List.of(
          ReportKind.REPORT,
          ReportKind.CLUSTER_REPORT,
          ReportKind.POLICY_REPORT,
          ReportKind.CLUSTER_POLICY_REPORT);

  private long[] keys = new long[1024];
  private long[] times = new long[1024];
  private int size;
  private final LongStream.Builder newer = LongStream.builder();
  private long[] stale = new long[0];

  /// How a report compares with the one on the same resource in the other group.
  public enum Standing {
    /// There is no other report.
    ALONE,
    /// The other report is newer, or equally new.
    STALE,
    /// This report is newer than the other.
    NEWER
  }

  /// Returns the key of the reports on a resource by a producer; never 0.
  public static long key(String uid, String producer) {
    long hash = 0xcbf29ce484222325L;
    var text = uid + "\n" + producer;
    for (var i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
    }
    hash ^= hash >>> 32;
    hash *= 0x9e3779b97f4a7c15L;
    hash ^= hash >>> 29;
    return hash == 0 ? 1 : hash;
  }

  /// Adds a report in openreports.io.
  public void add(long key, long time) {
    if (2 * size >= keys.length) {
      grow();
    }
    var slot = slot(keys, key);
    if (keys[slot] == 0) {
      keys[slot] = key;
      times[slot] = time;
      size++;
    } else {
      times[slot] = Math.max(times[slot], time);
    }
  }

  /// Adds the key of a report in openreports.io that is stale: the one in wgpolicyk8s.io is newer.
  public void addNewer(long key) {
    newer.add(key);
  }

  /// Compares a report in wgpolicyk8s.io with the one in openreports.io.
  public Standing compare(long key, long time) {
    var slot = slot(keys, key);
    if (keys[slot] == 0) {
      return Standing.ALONE;
    }
    return time > times[slot] ? Standing.NEWER : Standing.STALE;
  }

  /// Determines the stale reports in openreports.io and frees the table. Call it once, when all
  /// reports are read.
  public void settle() {
    stale = newer.build().sorted().distinct().toArray();
    keys = new long[2];
    times = new long[2];
    size = 0;
  }

  public boolean isStale(long key) {
    return Arrays.binarySearch(stale, key) >= 0;
  }

  public int stale() {
    return stale.length;
  }

  private void grow() {
    var oldKeys = keys;
    var oldTimes = times;
    keys = new long[2 * oldKeys.length];
    times = new long[keys.length];
    for (var i = 0; i < oldKeys.length; i++) {
      if (oldKeys[i] != 0) {
        var slot = slot(keys, oldKeys[i]);
        keys[slot] = oldKeys[i];
        times[slot] = oldTimes[i];
      }
    }
  }

  private static int slot(long[] keys, long key) {
    var mask = keys.length - 1;
    var slot = (int) key & mask;
    while (keys[slot] != 0 && keys[slot] != key) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }
}
