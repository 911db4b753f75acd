package dev.policysync.plan;

import java.util.Comparator;

/// The order in which actions are safe (promise 6): what shields before what it shields from, and
/// removals last, the other way round.
public final class ActionOrder {
  static final Comparator<Action> SAFE =
      Comparator.comparingInt(ActionOrder::stage).thenComparing(Action::id);

  /// Beyond every step of applying, counted backwards from here.
  private static final int REMOVALS = 100;

  private ActionOrder() {}

  /// Steps of the order: what is applied first stands lower. Policies of one stage may be written
  /// at the same time; a stage begins when the one before has ended.
  public static int stage(Action action) {
    var step = action.id().kind().role().step();
    return switch (action) {
      case Action.Write _ -> step;
      case Action.Remove _ -> REMOVALS - step;
    };
  }
}
