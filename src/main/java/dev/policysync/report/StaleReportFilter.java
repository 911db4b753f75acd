package dev.policysync.report;

import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/// Which of two reports on one resource counts where both groups have one.
///
/// When Kyverno is told to write openreports.io, what it wrote as wgpolicyk8s.io before stays, and
/// is never brought up to date; when it is told to go back, it is the other way round. So of the
/// two the newer counts, as a whole: a result that only the older one has is of a policy that is
/// gone. Of two equally new ones the one in openreports.io counts.
///
/// The reports in openreports.io are read first and remembered in a table of numbers, 32 to 64
/// bytes for each report of the cluster where a `HashMap` takes 85. A stale one in wgpolicyk8s.io
/// is not even spooled.
public final class StaleReportFilter {
  /// The order in which lists are read: those in openreports.io first.
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

  /// What is known of a report that is about to be read.
  public enum Standing {
    /// No other is known.
    ALONE,
    /// The one that was read before is newer, or as new.
    STALE,
    /// Newer than the one that was read before.
    NEWER
  }

  /// The key of reports on that resource by that producer; never 0.
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

  /// Remembers a report in openreports.io.
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

  /// Remembers a report in openreports.io that has a newer twin.
  public void addNewer(long key) {
    newer.add(key);
  }

  /// How a report in wgpolicyk8s.io stands to those.
  public Standing of(long key, long time) {
    var slot = slot(keys, key);
    if (keys[slot] == 0) {
      return Standing.ALONE;
    }
    return time > times[slot] ? Standing.NEWER : Standing.STALE;
  }

  /// Settles which reports in openreports.io have a newer twin; call it once, at the end.
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
