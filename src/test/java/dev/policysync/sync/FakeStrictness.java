package dev.policysync.sync;

import dev.policysync.plan.Action;
import dev.policysync.policy.PolicyId;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Says of the policies that it was told of that a write makes them stricter, whatever it says.
final class FakeStrictness implements Strictness {
  private final Set<PolicyId> stricter = ConcurrentHashMap.newKeySet();
  private final Set<PolicyId> stricterAgain = ConcurrentHashMap.newKeySet();

  /// Every write of that policy tightens it.
  FakeStrictness tightening(PolicyId policy) {
    stricter.add(policy);
    return this;
  }

  /// A write of that policy that was judged anew is one that a guard may hold back.
  FakeStrictness guardingAnew(PolicyId policy) {
    stricterAgain.add(policy);
    return this;
  }

  @Override
  public boolean mayTighten(Action.Write write) {
    return stricter.contains(write.id());
  }

  @Override
  public boolean guardedAnew(Action.Write judged, Action.Write again) {
    return stricterAgain.contains(again.id());
  }
}
