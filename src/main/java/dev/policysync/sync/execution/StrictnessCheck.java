package dev.policysync.sync.execution;

import dev.policysync.plan.Action;

/// Checks single writes for whether they make a policy stricter than it is now.
public interface StrictnessCheck {
  /// Returns whether the write may block more than before. An unknown effect counts as more.
  boolean mayTighten(Action.Write write);

  /// Returns whether a guard may withhold a write whose first version it allowed: the object has
  /// changed since, so that the same write now blocks more for other reasons.
  ///
  /// @param judged the write as the plan has it
  /// @param again the same write, for the object as it is now
  boolean guardedAnew(Action.Write judged, Action.Write again);
}
