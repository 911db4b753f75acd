package dev.policysync.plan;

import dev.policysync.policy.PolicyId;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// The repairs of the last day, by policy. A field manager that changes a policy again after every
/// repair is in conflict with this agent; a person has to resolve that.
public record DriftHistory(Map<PolicyId, Series> series) {
  public static final DriftHistory NONE = new DriftHistory(Map.of());

  /// The longest time between two repairs of one series.
  private static final Duration LATELY = Duration.ofHours(24);

  public DriftHistory {
    series = Collections.unmodifiableMap(new LinkedHashMap<>(series));
  }

  /// Consecutive repairs of one policy, with never more than a day between two.
  ///
  /// @param by the field managers that made the repairs necessary, as far as managed fields show
  /// @param times the number of repairs
  /// @param last the time of the last repair
  public record Series(Set<String> by, int times, Instant last) {
    public Series {
      by = Collections.unmodifiableSet(new TreeSet<>(by));
    }

    /// Returns whether the same managers caused the next repair. Removing a field leaves no name in
    /// the managed fields, so two empty sets count as the same manager.
    private boolean continuedBy(Set<String> others) {
      return by.equals(others) || !Collections.disjoint(by, others);
    }
  }

  /// Returns how many times in a row the policy was repaired because of these managers.
  public int times(PolicyId policy, Set<String> by) {
    var before = series.get(policy);
    return before != null && before.continuedBy(by) ? before.times : 0;
  }

  /// Returns the history with one more repair of the policy.
  public DriftHistory with(PolicyId policy, Set<String> by, Instant now) {
    var all = new LinkedHashMap<>(series);
    all.put(policy, new Series(by, times(policy, by) + 1, now));
    return new DriftHistory(all);
  }

  /// Returns the history without series that ended more than a day ago.
  public DriftHistory withoutExpired(Instant now) {
    var lately = new LinkedHashMap<>(series);
    lately.values().removeIf(repairs -> repairs.last.isBefore(now.minus(LATELY)));
    return new DriftHistory(lately);
  }
}
