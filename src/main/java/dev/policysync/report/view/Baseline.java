package dev.policysync.report.view;

import dev.policysync.report.Finding;
import java.nio.file.Path;
import java.time.Instant;
import java.util.BitSet;
import java.util.function.Consumer;

/// The findings of an earlier report: only the key of each and when it was first seen. A finding
/// takes 12 bytes, and the table has as much free space again, so a file of 100 MB takes three
/// megabytes.
public final class Baseline {
  private static final int EMPTIEST = 1024;

  private final BaselineFile file;
  private final FindingKey findingKey = new FindingKey();
  private BaselineFile.Head head = new BaselineFile.Head("", Instant.EPOCH);
  private long[] keys = new long[EMPTIEST];

  /// Seconds since 1970 as unsigned integers; 0 if the file has no time.
  private int[] times = new int[EMPTIEST];

  private int size;

  private Baseline(Path path) {
    this.file = new BaselineFile(path);
  }

  /// Reads the findings from a file that `report -o json` wrote.
  ///
  /// @throws UnreadableBaseline if the file has other content or cannot be read
  public static Baseline read(Path path) {
    var baseline = new Baseline(path);
    baseline.head = baseline.file.read(baseline::add);
    return baseline;
  }

  /// Returns the earlier report's cluster: `acme/prod-1`; empty if it names none.
  public String cluster() {
    return head.cluster();
  }

  public Instant at() {
    return head.at();
  }

  int size() {
    return size;
  }

  /// Returns the slot of a finding; negative if the earlier report does not have it.
  int slot(Finding finding) {
    var slot = slot(keys, findingKey.of(finding));
    return keys[slot] == 0 ? -1 : slot;
  }

  Instant firstSeen(int slot) {
    return times[slot] == 0
        ? head.at()
        : Instant.ofEpochSecond(Integer.toUnsignedLong(times[slot]));
  }

  /// Reads the file again and passes on each finding that is in none of the given slots.
  void others(BitSet slots, Consumer<EarlierFinding> each) {
    var known = (BitSet) slots.clone();
    file.read(finding -> {
      var slot = slot(keys, findingKey.of(finding));
      if (!known.get(slot)) {
        known.set(slot);
        each.accept(finding);
      }
    });
  }

  private void add(EarlierFinding finding) {
    if (4 * size >= 3 * keys.length) {
      grow();
    }
    var key = findingKey.of(finding);
    var slot = slot(keys, key);
    size += keys[slot] == 0 ? 1 : 0;
    keys[slot] = key;
    times[slot] = finding.firstSeen().map(Baseline::seconds).orElse(0);
  }

  private static int seconds(Instant time) {
    return (int) Math.clamp(time.getEpochSecond(), 0L, 0xffff_ffffL);
  }

  private void grow() {
    var oldKeys = keys;
    var oldTimes = times;
    keys = new long[2 * oldKeys.length];
    times = new int[keys.length];
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
