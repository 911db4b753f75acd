package dev.policysync.sync.analysis;

import dev.policysync.base.Value;
import dev.policysync.plan.Action;
import dev.policysync.plan.impact.Impact;
import dev.policysync.plan.impact.ImpactEvaluator;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.kyverno.RelatedPolicies;
import dev.policysync.sync.execution.Cancellation;
import dev.policysync.sync.execution.ClusterUnavailable;
import dev.policysync.sync.execution.PolicyStore;
import java.util.List;

/// Finds out the impact of one write, from the object before and after it. There is always a
/// result: an object that cannot be read gives an unknown impact.
record ImpactReader(PolicyStore store, Cancellation stop) {
  Impact of(Action action, RelatedPolicies relatedPolicies) {
    try {
      return action instanceof Action.Create
          ? asNew(action, relatedPolicies)
          : ofChange(action, relatedPolicies);
    } catch (RuntimeException e) {
      return ImpactEvaluator.unreadable(action.id(), Defect.text(e));
    }
  }

  private Impact ofChange(Action action, RelatedPolicies relatedPolicies) {
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

  /// Returns the impact if the current object cannot be read. If the policy would block nothing as
  /// a new policy, it cannot block more than before.
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
}
