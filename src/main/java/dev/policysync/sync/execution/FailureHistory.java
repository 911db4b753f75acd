package dev.policysync.sync.execution;

import dev.policysync.plan.Action;
import dev.policysync.plan.Plan;
import dev.policysync.policy.PolicyId;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// Policies that fail run after run, each time with a temporary failure. Removals wait for such a
/// failure (promise 5), but not forever: a failure that has lasted may never end, such as a
/// finalizer that is never removed.
///
/// Only runs with something to write count, so that a run without changes records nothing; if a
/// removal waits, there is always something to write.
public record FailureHistory(SortedMap<PolicyId, Streak> streaks) {
  public static final FailureHistory NONE = new FailureHistory(Collections.emptySortedMap());

  /// The number of runs after which a failure is lasting, if it also lasted for [#LONG]. By then a
  /// node, a controller or a certificate would be available again.
  private static final int RUNS = 6;

  private static final Duration LONG = Duration.ofMinutes(30);

  /// How many failing policies are recorded. If more fail, they do not fail for separate reasons;
  /// removals wait for the rest.
  private static final int MOST = 500;

  public FailureHistory {
    streaks = Collections.unmodifiableSortedMap(new TreeMap<>(streaks));
  }

  /// Consecutive failures of one policy.
  ///
  /// @param since when the first run with a failure was
  /// @param runs the number of runs
  public record Streak(Instant since, int runs) {
    private boolean lasting(Instant now) {
      return runs >= RUNS && !since.isAfter(now.minus(LONG));
    }
  }

  /// Returns the failures that have lasted for so long that removals no longer wait for them.
  public FailureHistory lasting(Instant now) {
    var lasting = new TreeMap<>(streaks);
    lasting.values().removeIf(streak -> !streak.lasting(now));
    return new FailureHistory(lasting);
  }

  boolean contains(PolicyId policy) {
    return streaks.containsKey(policy);
  }

  /// Returns the history after another run. A policy that was not attempted because of the run
  /// itself neither failed nor succeeded.
  public FailureHistory after(Plan plan, List<Outcome> outcomes, Instant now) {
    var failing = failing(plan, outcomes);
    var left = new TreeMap<>(streaks);
    var untried = untried(plan, outcomes);
    left.keySet().removeIf(id -> !failing.contains(id) && !untried.contains(id));
    if (!outcomes.isEmpty()) {
      var first = new Streak(now.truncatedTo(ChronoUnit.SECONDS), 1);
      failing.forEach(id ->
          left.merge(id, first, (before, _) -> new Streak(before.since(), before.runs() + 1)));
    }
    return new FailureHistory(longest(left));
  }

  /// Returns the warnings about lasting failures that happened again in this run.
  public List<String> warnings(Plan plan, List<Outcome> outcomes) {
    var failing = failing(plan, outcomes);
    var warningGroups = new WarningGroups(" has failed since ", " have failed since ");
    streaks.forEach((id, streak) -> {
      if (failing.contains(id)) {
        warningGroups.add(
            id,
            streak.since()
                + ", in "
                + (streak.runs() + 1)
                + " runs; removals of other policies no longer wait for it");
      }
    });
    return warningGroups.lines();
  }

  private static Set<PolicyId> failing(Plan plan, List<Outcome> outcomes) {
    var failing = new HashSet<PolicyId>();
    plan.rejectedOnTheirOwn().stream()
        .filter(rejected -> rejected.failure().retryable())
        .flatMap(rejected -> rejected.id().stream())
        .forEach(failing::add);
    outcomes.stream()
        .filter(FailureHistory::failed)
        .forEach(outcome -> failing.add(outcome.action().id()));
    return failing;
  }

  /// Returns whether the action had a temporary failure. A write that was skipped because a webhook
  /// is down counts as failed.
  private static boolean failed(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Failed(_, var failure) -> failure.retryable();
      case Outcome.NotAttempted(var action, var why, _) ->
          why == StopReason.WEBHOOK_DOWN && action instanceof Action.Write;
      case Outcome.Done _, Outcome.Settled _, Outcome.Dropped _ -> false;
    };
  }

  /// Returns the policies that were not attempted, or whose kind could not be listed.
  private static Set<PolicyId> untried(Plan plan, List<Outcome> outcomes) {
    var untried = new HashSet<PolicyId>();
    outcomes.stream()
        .filter(Outcome.NotAttempted.class::isInstance)
        .forEach(outcome -> untried.add(outcome.action().id()));
    var onTheirOwn = Set.copyOf(plan.rejectedOnTheirOwn());
    plan.problems().rejected().stream()
        .filter(policy -> !onTheirOwn.contains(policy))
        .flatMap(policy -> policy.id().stream())
        .forEach(untried::add);
    return untried;
  }

  private static SortedMap<PolicyId, Streak> longest(SortedMap<PolicyId, Streak> all) {
    var longest = new TreeMap<PolicyId, Streak>();
    all.entrySet().stream()
        .sorted(Comparator.comparing(entry -> entry.getValue().since()))
        .limit(MOST)
        .forEach(entry -> longest.put(entry.getKey(), entry.getValue()));
    return longest;
  }
}
