package dev.policysync.sync;

import dev.policysync.policy.PolicyId;
import dev.policysync.sync.execution.Outcome;
import dev.policysync.sync.execution.StopReason;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// The policies that the last run could not write, so that `status` can tell why: a comparison of
/// feed and cluster only shows that they differ. No decision depends on these errors.
public record RecentErrors(SortedMap<PolicyId, RecentError> byPolicy) {
  public static final RecentErrors NONE = new RecentErrors(Collections.emptySortedMap());

  /// How many policies are recorded. If more of them fail, most of them fail for the same reason.
  private static final int MOST_POLICIES = 500;

  /// How many different reasons are recorded, and how many characters of each. An API server may
  /// answer with a page of text for each policy.
  private static final int MOST_REASONS = 20;

  private static final int LONGEST_REASON = 400;

  /// Why a policy could not be written.
  ///
  /// @param since when the first of these runs in a row was
  /// @param reason as in the summary of the last run
  public record RecentError(Instant since, String reason) {}

  public RecentErrors {
    byPolicy = Collections.unmodifiableSortedMap(new TreeMap<>(byPolicy));
  }

  /// Returns the errors after another run. The error of a policy that the run did not get to stays.
  RecentErrors after(List<Outcome> outcomes, Instant now) {
    var errors = new TreeMap<PolicyId, RecentError>();
    for (var outcome : outcomes) {
      var id = outcome.action().id();
      reason(outcome)
          .ifPresentOrElse(
              reason -> errors.put(id, new RecentError(since(id, now), shortened(reason))),
              () -> {
                if (outcome instanceof Outcome.NotAttempted && byPolicy.containsKey(id)) {
                  errors.put(id, byPolicy.get(id));
                }
              });
    }
    return limited(errors);
  }

  private Instant since(PolicyId id, Instant now) {
    return Optional.ofNullable(byPolicy.get(id))
        .map(RecentError::since)
        .orElse(now.truncatedTo(ChronoUnit.SECONDS));
  }

  private static Optional<String> reason(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Failed(_, var failure) -> Optional.of(failure.reason());
      case Outcome.NotAttempted untried when untried.why() == StopReason.WEBHOOK_DOWN ->
          Optional.of(untried.reason());
      case Outcome.NotAttempted _, Outcome.Done _, Outcome.Settled _, Outcome.Dropped _ ->
          Optional.empty();
    };
  }

  private static String shortened(String reason) {
    return reason.length() <= LONGEST_REASON ? reason : reason.substring(0, LONGEST_REASON) + "…";
  }

  private static RecentErrors limited(SortedMap<PolicyId, RecentError> errors) {
    var reasons =
        errors.values().stream().map(RecentError::reason).distinct().limit(MOST_REASONS).toList();
    var limited = new TreeMap<PolicyId, RecentError>();
    errors.entrySet().stream()
        .filter(error -> reasons.contains(error.getValue().reason()))
        .limit(MOST_POLICIES)
        .forEach(error -> limited.put(error.getKey(), error.getValue()));
    return new RecentErrors(limited);
  }
}
