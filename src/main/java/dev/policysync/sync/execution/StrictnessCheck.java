package dev.policysync.sync.execution;

import dev.policysync.plan.Action;

/// Checks whether a single write makes a policy stricter than it is now.
public interface StrictnessCheck {
  /// Returns whether the write may block more requests than before. An unknown effect counts as
  /// more.
  boolean mayTighten(Action.Write write);

  /// Returns whether a guard may withhold a write that it allowed in the plan: the object has
  /// changed since then, so that the same write now blocks more for other reasons.
  ///
  /// @param judged the write in the plan
  /// @param again the same write, for the object as it is now
  boolean guardedAnew(Action.Write judged, Action.Write again);
}
