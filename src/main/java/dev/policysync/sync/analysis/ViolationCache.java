package dev.policysync.sync.analysis;

import dev.policysync.plan.Action;
import dev.policysync.plan.EnforceGuard;
import dev.policysync.plan.StricterChange;
import dev.policysync.plan.impact.Impact;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Keeps what the policy reports show about workloads that a run's writes affect. The reports are
/// read once, for all policies at a time, and only if a write makes a policy stricter.
final class ViolationCache {
  private final ViolationSource reports;
  private final EnforceGuard.Mode mode;
  private final Clock clock;
  private final Set<PolicyId> asked = new HashSet<>();
  private Optional<ViolationSource.Result> answer = Optional.empty();

  ViolationCache(ViolationSource reports, EnforceGuard.Mode mode, Clock clock) {
    this.reports = reports;
    this.mode = mode;
    this.clock = clock;
  }

  /// Reads the reports if they can show something relevant that was not read before.
  void ask(Map<Action, Impact> impacts) {
    var questions = new ArrayList<Impact>();
    impacts.forEach((action, impact) -> {
      if (worthAsking(action, impact)) {
        questions.add(impact);
      }
    });
    if (questions.isEmpty()
        || (answer.isPresent()
            && questions.stream().allMatch(impact -> asked.contains(impact.policy())))) {
      return;
    }
    questions.forEach(impact -> asked.add(impact.policy()));
    answer = Optional.of(answer(questions));
  }

  /// Returns whether the reports are relevant. A new policy has no results yet; but if the guard
  /// withholds unknown effects, it matters whether there are any reports.
  private boolean worthAsking(Action action, Impact impact) {
    return !impact.guarded().isEmpty()
        && impact.reported().kind().role() == PolicyKind.Role.POLICY
        && (!isNewPolicy(action) || mode == EnforceGuard.Mode.HOLD);
  }

  private ViolationSource.Result answer(List<Impact> questions) {
    try {
      return reports.of(questions);
    } catch (RuntimeException e) {
      return new ViolationSource.Result.Unavailable(Defect.text(e));
    }
  }

  private static boolean isNewPolicy(Action action) {
    return action instanceof Action.Create && action.id().kind().role() == PolicyKind.Role.POLICY;
  }

  StricterChange tightening(Action action, WriteImpact writeImpact) {
    return writeImpact.tightening(anyReports(), isNewPolicy(action));
  }

  /// Returns whether the cluster has any reports, as far as known.
  private boolean anyReports() {
    return answer.isEmpty()
        || !(answer.get() instanceof ViolationSource.Result.Reported(var any, _))
        || any;
  }

  WriteImpact of(Action action, Impact impact) {
    if (impact.guarded().isEmpty()) {
      return WriteImpact.harmless(impact);
    }
    if (impact.reported().kind().role() != PolicyKind.Role.POLICY) {
      return WriteImpact.unknown(impact, "reports do not show which resources it exempts");
    }
    var failing = failing(impact.policy());
    if (failing.isPresent()) {
      var age = failing.get().newest().map(newest -> Duration.between(newest, clock.instant()));
      return new WriteImpact(
          impact, failing, age.map(ViolationCache::notNegative), Optional.empty());
    }
    if (isNewPolicy(action)) {
      return WriteImpact.unknown(impact, WriteImpact.NEW_POLICY);
    }
    return switch (answer.orElse(new ViolationSource.Result.Unavailable("reports were not read"))) {
      case ViolationSource.Result.Unavailable(var why) -> WriteImpact.unknown(impact, why);
      case ViolationSource.Result.Reported(var any, _) ->
          WriteImpact.unknown(
              impact,
              any
                  ? "no report contains a result of this policy"
                  : "the cluster has no policy reports");
    };
  }

  private Optional<ViolationSource.Violations> failing(PolicyId policy) {
    return answer.isPresent()
            && answer.get() instanceof ViolationSource.Result.Reported(_, var policies)
        ? Optional.ofNullable(policies.get(policy))
        : Optional.empty();
  }

  /// Returns the age, or zero if it is negative because clocks differ.
  private static Duration notNegative(Duration age) {
    return age.isNegative() ? Duration.ZERO : age;
  }
}
