package dev.policysync.sync.analysis;

import dev.policysync.base.Parallel;
import dev.policysync.base.Value;
import dev.policysync.plan.Action;
import dev.policysync.plan.ActualPolicies;
import dev.policysync.plan.EnforceGuard;
import dev.policysync.plan.Plan;
import dev.policysync.plan.StricterChange;
import dev.policysync.plan.impact.Impact;
import dev.policysync.plan.impact.ImpactEvaluator;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.feed.ExpectedPolicies;
import dev.policysync.policy.kyverno.RelatedPolicies;
import dev.policysync.sync.execution.Cancellation;
import dev.policysync.sync.execution.PolicyStore;
import dev.policysync.sync.execution.StrictnessCheck;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/// Finds out the effect of a plan's writes on requests before the writes are sent.
///
/// A run makes its plan twice, without the Lease and under it; the impact of an action is kept and
/// used again for an equal action. Policy reports are read once, and only if a write makes a policy
/// stricter.
public final class ImpactAnalyzer implements StrictnessCheck {
  private final EnforceGuard.Mode mode;
  private final ImpactReader impactReader;
  private final ViolationCache violations;
  private final int concurrency;
  private final Map<Action, Impact> judged = new ConcurrentHashMap<>();
  private Supplier<RelatedPolicies> others = () -> RelatedPolicies.NONE;

  public ImpactAnalyzer(
      PolicyStore store,
      ViolationSource reports,
      EnforceGuard guard,
      Cancellation stop,
      Clock clock,
      int concurrency) {
    this.mode = guard.mode();
    this.impactReader = new ImpactReader(store, stop);
    this.violations = new ViolationCache(reports, mode, clock);
    this.concurrency = concurrency;
  }

  /// The impact of a plan.
  ///
  /// @param writes the writes that change what is blocked, in the order of the plan
  /// @param tightenings the stricter changes, for the guard
  public record Found(List<WriteImpact> writes, List<StricterChange> tightenings) {
    static final Found NOTHING = new Found(List.of(), List.of());
  }

  public Found of(Plan plan, ExpectedPolicies expectedPolicies, ActualPolicies actualPolicies) {
    others = () -> surroundings(expectedPolicies, actualPolicies);
    var actions = plan.actions().stream().filter(ImpactAnalyzer::matters).toList();
    if (mode == EnforceGuard.Mode.OFF || actions.isEmpty()) {
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
    violations.ask(impacts);
    var writes = new ArrayList<WriteImpact>();
    var tightenings = new ArrayList<StricterChange>();
    impacts.forEach((action, impact) -> {
      var writeImpact = violations.of(action, impact);
      writes.add(writeImpact);
      if (!impact.guarded().isEmpty()) {
        tightenings.add(violations.tightening(action, writeImpact));
      }
    });
    return new Found(List.copyOf(writes), List.copyOf(tightenings));
  }

  private static boolean matters(Action action) {
    return ImpactEvaluator.judges(action.id().kind());
  }

  @Override
  public boolean mayTighten(Action.Write write) {
    return !ImpactEvaluator.judgesAll(write.id().kind()) || !judgedOrNow(write).guarded().isEmpty();
  }

  @Override
  public boolean guardedAnew(Action.Write judged, Action.Write again) {
    return mode == EnforceGuard.Mode.HOLD
        && matters(again)
        && !judgedOrNow(judged).guarded().containsAll(judgedOrNow(again).guarded());
  }

  private Impact judgedOrNow(Action.Write write) {
    var known = judged.get(write);
    if (known != null) {
      return known;
    }
    var impact = impactReader.of(write, surroundings(List.of(write)));
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
            open,
            concurrency,
            "reading policies",
            action -> impactReader.of(action, relatedPolicies)));
  }

  /// Builds the related policies, from the whole feed and only if a kind needs them.
  private RelatedPolicies surroundings(List<? extends Action> actions) {
    return actions.stream().map(action -> action.id().kind()).noneMatch(ImpactAnalyzer::needsOthers)
        ? RelatedPolicies.NONE
        : others.get();
  }

  private static RelatedPolicies surroundings(
      ExpectedPolicies expectedPolicies, ActualPolicies actualPolicies) {
    var manifests = new HashMap<PolicyId, Supplier<Value.Mapping>>();
    expectedPolicies.policies().forEach(policy -> manifests.put(policy.id(), policy::content));
    return new RelatedPolicies(manifests, actualPolicies.byId().keySet());
  }

  private static boolean needsOthers(PolicyKind kind) {
    return kind.role() == PolicyKind.Role.EXCEPTION
        || kind.type() == PolicyKind.Type.VALIDATING_ADMISSION;
  }
}
