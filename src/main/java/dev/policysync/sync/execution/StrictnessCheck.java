package dev.policysync.sync.execution;

import dev.policysync.plan.Action;

/// Whether a write makes a policy stricter than it is now, asked of single writes that depend on
/// it.
public interface StrictnessCheck {
  /// Whether it may block more than before; so does what nobody can judge.
  boolean mayTighten(Action.Write write);

  /// Whether a guard may hold back a write that let its first version through: the object changed
  /// since, so that the same write now blocks more for other reasons.
  ///
  /// @param judged the write as the plan has it
  /// @param again the same write to the object as it is now
  boolean guardedAnew(Action.Write judged, Action.Write again);
}
