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

  private static final String OWN_LABEL = "<policy>";
  private static final String OWN_NAME = "\"<name>\"";

  /// Why a policy could not be written.
  ///
  /// @param since when the first of these runs in a row was
  /// @param template the reason in the summary of the last run, with `<policy>` and `"<name>"` in
  ///   place of the policy's label and its quoted name; policies that fail for the same reason
  ///   share a template
  public record RecentError(Instant since, String template) {
    private static RecentError of(PolicyId id, Instant since, String reason) {
      return new RecentError(
          since,
          shortened(
              reason.replace(id.toString(), OWN_LABEL).replace('"' + id.name() + '"', OWN_NAME)));
    }

    /// Returns the reason as the summary of the last run gave it for this policy.
    public String reason(PolicyId id) {
      return template.replace(OWN_LABEL, id.toString()).replace(OWN_NAME, '"' + id.name() + '"');
    }
  }

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
              reason -> errors.put(id, RecentError.of(id, since(id, now), reason)),
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
    if (reason.length() <= LONGEST_REASON) {
      return reason;
    }
    var splitsCharacter = Character.isHighSurrogate(reason.charAt(LONGEST_REASON - 1));
    return reason.substring(0, splitsCharacter ? LONGEST_REASON - 1 : LONGEST_REASON) + "…";
  }

  private static RecentErrors limited(SortedMap<PolicyId, RecentError> errors) {
    var templates =
        errors.values().stream().map(RecentError::template).distinct().limit(MOST_REASONS).toList();
    var limited = new TreeMap<PolicyId, RecentError>();
    errors.entrySet().stream()
        .filter(error -> templates.contains(error.getValue().template()))
        .limit(MOST_POLICIES)
        .forEach(error -> limited.put(error.getKey(), error.getValue()));
    return new RecentErrors(limited);
  }
}
