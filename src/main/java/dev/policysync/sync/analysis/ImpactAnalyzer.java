package dev.policysync.sync.analysis;

import dev.policysync.impact.Impact;
import dev.policysync.impact.ImpactEvaluator;
import dev.policysync.json.Value;
import dev.policysync.kyverno.RelatedPolicies;
import dev.policysync.parallel.Parallel;
import dev.policysync.plan.Action;
import dev.policysync.plan.EnforceGuard;
import dev.policysync.plan.Plan;
import dev.policysync.plan.StricterChange;
import dev.policysync.plan.live.ActualPolicies;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.feed.ExpectedPolicies;
import dev.policysync.sync.execution.Cancellation;
import dev.policysync.sync.execution.ClusterUnavailable;
import dev.policysync.sync.execution.PolicyStore;
import dev.policysync.sync.execution.StrictnessCheck;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/// Finds out what a plan's writes will do to requests before they are done.
///
/// A plan is made twice in a run, without the Lease and under it; what was found out of an action
/// holds for the same action. Reports are read once, and only where something tightens.
public final class ImpactAnalyzer implements StrictnessCheck {
  private final PolicyStore store;
  private final ViolationSource reports;
  private final EnforceGuard guard;
  private final Cancellation stop;
  private final Clock clock;
  private final int concurrency;

  private final Map<Action, Impact> judged = new ConcurrentHashMap<>();
  private Supplier<RelatedPolicies> others = () -> RelatedPolicies.NONE;
  private final Set<PolicyId> asked = new HashSet<>();
  private Optional<ViolationSource.Result> answer = Optional.empty();

  public ImpactAnalyzer(
      PolicyStore store,
      ViolationSource reports,
      EnforceGuard guard,
      Cancellation stop,
      Clock clock,
      int concurrency) {
    this.store = store;
    this.reports = reports;
    this.guard = guard;
    this.stop = stop;
    this.clock = clock;
    this.concurrency = concurrency;
  }

  /// What was found out of a plan.
  ///
  /// @param writes those that change what is blocked, in the order of the plan
  /// @param tightenings what of it a guard goes by
  public record Found(List<WriteImpact> writes, List<StricterChange> tightenings) {
    static final Found NOTHING = new Found(List.of(), List.of());
  }

  public Found of(Plan plan, ExpectedPolicies expectedPolicies, ActualPolicies actualPolicies) {
    others = () -> surroundings(expectedPolicies, actualPolicies);
    var actions = plan.actions().stream().filter(ImpactAnalyzer::matters).toList();
    if (guard.mode() == EnforceGuard.Mode.OFF || actions.isEmpty()) {
      return Found.NOTHING;
    }
    judge(actions);
    var impacts = new LinkedHashMap<Action, Impact>();
    for (var action : actions) {
      var impact = judged.get(action);
      if (impact != null && !impact.reasons().isEmpty()) {
        impacts.put(action, impact);
      }
    }
    ask(impacts);
    var writes = new ArrayList<WriteImpact>();
    var tightenings = new ArrayList<StricterChange>();
    impacts.forEach((action, impact) -> {
      var writeImpact = foreseen(action, impact);
      writes.add(writeImpact);
      if (!impact.guarded().isEmpty()) {
        tightenings.add(writeImpact.tightening(anyReports(), isNewPolicy(action)));
      }
    });
    return new Found(List.copyOf(writes), List.copyOf(tightenings));
  }

  private static boolean matters(Action action) {
    return ImpactEvaluator.judges(action.id().kind());
  }

  @Override
  public boolean mayTighten(Action.Write write) {
    return !matters(write) || !judgedOrNow(write).guarded().isEmpty();
  }

  @Override
  public boolean guardedAnew(Action.Write judged, Action.Write again) {
    return guard.mode() == EnforceGuard.Mode.HOLD
        && matters(again)
        && !judgedOrNow(judged).guarded().containsAll(judgedOrNow(again).guarded());
  }

  private Impact judgedOrNow(Action.Write write) {
    var known = judged.get(write);
    if (known != null) {
      return known;
    }
    var impact = judge(write, surroundings(List.of(write)));
    judged.put(write, impact);
    return impact;
  }

  private void judge(List<Action> actions) {
    var open = actions.stream().filter(action -> !judged.containsKey(action)).toList();
    if (open.isEmpty()) {
      return;
    }
    var relatedPolicies = surroundings(open);
    judged.putAll(
        Parallel.map(
            open, concurrency, "reading policies", action -> judge(action, relatedPolicies)));
  }

  private Impact judge(Action action, RelatedPolicies relatedPolicies) {
    try {
      return action instanceof Action.Create
          ? asNew(action, relatedPolicies)
          : judgeChange(action, relatedPolicies);
    } catch (RuntimeException e) {
      return ImpactEvaluator.unreadable(action.id(), defect(e));
    }
  }

  private Impact judgeChange(Action action, RelatedPolicies relatedPolicies) {
    var stopped = stop.reason();
    if (stopped.isPresent()) {
      return unread(action, relatedPolicies, stopped.get().toString());
    }
    try {
      var before = store.read(action.id()).orElse(Value.Mapping.EMPTY);
      return ImpactEvaluator.of(action.id(), before, after(action), relatedPolicies);
    } catch (ClusterUnavailable e) {
      return unread(action, relatedPolicies, e.failure().reason());
    }
  }

  private static Impact asNew(Action action, RelatedPolicies relatedPolicies) {
    return ImpactEvaluator.of(action.id(), Value.Mapping.EMPTY, after(action), relatedPolicies);
  }

  /// A policy that would block nothing if it were new blocks nothing more than whatever it was.
  private static Impact unread(Action action, RelatedPolicies relatedPolicies, String why) {
    var id = action.id();
    return id.kind().role() == PolicyKind.Role.POLICY
            && asNew(action, relatedPolicies).guarded().isEmpty()
        ? new Impact(id, id, List.of())
        : ImpactEvaluator.unreadable(id, why);
  }

  private static Value.Mapping after(Action action) {
    return action instanceof Action.Write write ? write.desired().manifest() : Value.Mapping.EMPTY;
  }

  /// Made of the whole feed only where a kind needs it.
  private RelatedPolicies surroundings(List<? extends Action> actions) {
    return actions.stream().map(action -> action.id().kind()).noneMatch(ImpactAnalyzer::needsOthers)
        ? RelatedPolicies.NONE
        : others.get();
  }

  private static RelatedPolicies surroundings(
      ExpectedPolicies expectedPolicies, ActualPolicies actualPolicies) {
    var manifests = new HashMap<PolicyId, Value.Mapping>();
    expectedPolicies.policies().forEach(policy -> manifests.put(policy.id(), policy.content()));
    return new RelatedPolicies(manifests, actualPolicies.byId().keySet());
  }

  private static boolean needsOthers(PolicyKind kind) {
    return kind.role() == PolicyKind.Role.EXCEPTION
        || kind.type() == PolicyKind.Type.VALIDATING_ADMISSION;
  }

  /// Reads the reports, where they can tell anything that matters: all policies in one reading.
  private void ask(Map<Action, Impact> impacts) {
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

  private ViolationSource.Result answer(List<Impact> questions) {
    try {
      return reports.of(questions);
    } catch (RuntimeException e) {
      return new ViolationSource.Result.Unavailable(defect(e));
    }
  }

  /// What only says what will happen must not be what stops a sync: it says that nobody knows,
  /// which a guard that holds back takes for a reason to.
  private static String defect(RuntimeException e) {
    return "a defect of policy-sync, "
        + e.getClass().getSimpleName()
        + (e.getStackTrace().length == 0 ? "" : " at " + e.getStackTrace()[0]);
  }

  /// Of a new policy there are no results; but whether there are any reports matters to who holds
  /// back what nobody knows.
  private boolean worthAsking(Action action, Impact impact) {
    return !impact.guarded().isEmpty()
        && impact.reported().kind().role() == PolicyKind.Role.POLICY
        && (!isNewPolicy(action) || guard.mode() == EnforceGuard.Mode.HOLD);
  }

  private static boolean isNewPolicy(Action action) {
    return action instanceof Action.Create && action.id().kind().role() == PolicyKind.Role.POLICY;
  }

  private boolean anyReports() {
    return answer.isEmpty()
        || !(answer.get() instanceof ViolationSource.Result.Reported(var any, _))
        || any;
  }

  private WriteImpact foreseen(Action action, Impact impact) {
    if (impact.guarded().isEmpty()) {
      return WriteImpact.harmless(impact);
    }
    if (impact.reported().kind().role() != PolicyKind.Role.POLICY) {
      return WriteImpact.unknown(impact, "reports do not tell whom it shields");
    }
    var failing = failing(impact.policy());
    if (failing.isPresent()) {
      var age = failing.get().newest().map(newest -> Duration.between(newest, clock.instant()));
      return new WriteImpact(
          impact, failing, age.map(ImpactAnalyzer::notNegative), Optional.empty());
    }
    if (isNewPolicy(action)) {
      return WriteImpact.unknown(impact, "it is new, nothing was evaluated yet");
    }
    return switch (answer.orElse(new ViolationSource.Result.Unavailable("nobody was asked"))) {
      case ViolationSource.Result.Unavailable(var why) -> WriteImpact.unknown(impact, why);
      case ViolationSource.Result.Reported(var any, _) ->
          WriteImpact.unknown(
              impact,
              any ? "no report has a result of it" : "there are no policy reports in this cluster");
    };
  }

  private Optional<ViolationSource.Violations> failing(PolicyId policy) {
    return answer.isPresent()
            && answer.get() instanceof ViolationSource.Result.Reported(_, var policies)
        ? Optional.ofNullable(policies.get(policy))
        : Optional.empty();
  }

  /// Clocks differ.
  private static Duration notNegative(Duration age) {
    return age.isNegative() ? Duration.ZERO : age;
  }
}
