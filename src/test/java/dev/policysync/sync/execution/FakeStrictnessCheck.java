package dev.policysync.sync.execution;

import dev.policysync.plan.Action;
import java.util.function.Predicate;

/// Says which writes tighten a policy, as it was told; none, if it was told nothing.
///
/// @param tightens whether a write may block more than before
public record FakeStrictnessCheck(Predicate<Action.Write> tightens) implements StrictnessCheck {
  FakeStrictnessCheck() {
    this(_ -> false);
  }

  @Override
  public boolean mayTighten(Action.Write write) {
    return tightens.test(write);
  }

  @Override
  public boolean guardedAnew(Action.Write judged, Action.Write again) {
    return tightens.test(again) && !tightens.test(judged);
  }
}
