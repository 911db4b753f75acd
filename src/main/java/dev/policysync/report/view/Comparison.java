package dev.policysync.report.view;

import dev.policysync.report.Finding;
import dev.policysync.report.Findings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.BitSet;
import java.util.Optional;

/// A comparison of the current findings with those of an earlier report: which are new and which
/// are gone.
public final class Comparison {
  private final Baseline baseline;
  private final BitSet still;
  private final long added;

  private Comparison(Baseline baseline, BitSet still, long added) {
    this.baseline = baseline;
    this.still = still;
    this.added = added;
  }

  public static Comparison of(Baseline baseline, Findings findings) {
    var still = new BitSet();
    var added = 0L;
    try (var stream = findings.stream()) {
      for (var finding : (Iterable<Finding>) stream::iterator) {
        var slot = baseline.slot(finding);
        if (slot < 0) {
          added++;
        } else {
          still.set(slot);
        }
      }
    }
    return new Comparison(baseline, still, added);
  }

  /// Returns the time of the earlier report.
  public Instant since() {
    return baseline.at();
  }

  /// Returns the number of new findings.
  public long added() {
    return added;
  }

  /// Returns how many of the earlier report's findings are gone.
  public long gone() {
    return (long) baseline.size() - still.cardinality();
  }

  public boolean isNew(Finding finding) {
    return baseline.slot(finding) < 0;
  }

  /// Returns when the finding was first seen, according to the earlier report; empty if the finding
  /// is new.
  public Optional<Instant> firstSeen(Finding finding) {
    var slot = baseline.slot(finding);
    return slot < 0 ? Optional.empty() : Optional.of(baseline.firstSeen(slot));
  }

  public interface Gone {
    void write(EarlierFinding finding) throws IOException;
  }

  /// Passes on each finding that is gone, in the order of the earlier report.
  ///
  /// @throws UnreadableBaseline if the earlier report's file cannot be read a second time
  public void gone(Gone each) throws IOException {
    try {
      baseline.others(
          still,
          finding -> {
            try {
              each.write(finding);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }
}
