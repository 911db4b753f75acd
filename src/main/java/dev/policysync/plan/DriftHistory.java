package dev.policysync.plan;

import dev.policysync.policy.PolicyId;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// What had to be put right lately because somebody else had changed it, by policy. Who does that
/// again after every repair is in a fight with us, and somebody has to end it.
public record DriftHistory(Map<PolicyId, Series> series) {
  /// None.
  public static final DriftHistory NONE = new DriftHistory(Map.of());

  /// Repairs that lie further apart are not one story.
  private static final Duration LATELY = Duration.ofHours(24);

  public DriftHistory {
    series = Collections.unmodifiableMap(new LinkedHashMap<>(series));
  }

  /// Repairs of one policy in a row, with never more than a day between.
  ///
  /// @param by who made them necessary, as far as managed fields tell
  /// @param times how many
  /// @param last when the last one was done
  public record Series(Set<String> by, int times, Instant last) {
    public Series {
      by = Collections.unmodifiableSet(new TreeSet<>(by));
    }

    /// Who removes a field leaves no name; nobody is taken for the same nobody.
    private boolean continuedBy(Set<String> others) {
      return by.equals(others) || !Collections.disjoint(by, others);
    }
  }

  /// How often in a row that policy had to be put right because of these others.
  public int times(PolicyId policy, Set<String> by) {
    var before = series.get(policy);
    return before != null && before.continuedBy(by) ? before.times : 0;
  }

  /// The same when that policy was put right once more.
  public DriftHistory with(PolicyId policy, Set<String> by, Instant now) {
    var all = new LinkedHashMap<>(series);
    all.put(policy, new Series(by, times(policy, by) + 1, now));
    return new DriftHistory(all);
  }

  /// The same without what is too long ago to matter.
  public DriftHistory at(Instant now) {
    var lately = new LinkedHashMap<>(series);
    lately.values().removeIf(repairs -> repairs.last.isBefore(now.minus(LATELY)));
    return new DriftHistory(lately);
  }
}
