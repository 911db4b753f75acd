package dev.policysync.plan;

import java.util.Comparator;

/// The safe order of actions (promise 6): a shield is applied before the policies that it shields,
/// and removals come last, in the opposite order.
public final class ActionOrder {
  static final Comparator<Action> SAFE =
      Comparator.comparingInt(ActionOrder::stage).thenComparing(Action::id);

  /// A number above every stage of a write. The stage of a removal is this number minus the stage
  /// of the write.
  private static final int REMOVALS = 100;

  private ActionOrder() {}

  /// Returns the stage of the action; lower stages run first. Policies of one stage may be written
  /// at the same time. A stage begins when the previous stage has ended.
  public static int stage(Action action) {
    var step = action.id().kind().role().step();
    return switch (action) {
      case Action.Write _ -> step;
      case Action.Remove _ -> REMOVALS - step;
    };
  }
}
