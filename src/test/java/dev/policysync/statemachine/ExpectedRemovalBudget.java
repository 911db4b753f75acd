package dev.policysync.statemachine;

import dev.policysync.plan.RemovalBudget;

/// `MAX_REMOVALS` as the promises word it: a number, or a percentage of the owned policies and at
/// least two.
record ExpectedRemovalBudget(int number, boolean percent) {
  /// "max(2, 20 %)"; and nothing at all where somebody sets zero.
  boolean permits(int removals, int owned) {
    if (!percent || number == 0) {
      return removals <= number;
    }
    return removals <= 2 || removals * 100 <= number * owned;
  }

  /// The same for the agent.
  RemovalBudget budget() {
    return percent ? new RemovalBudget.Share(number) : new RemovalBudget.Count(number);
  }

  @Override
  public String toString() {
    return number + (percent ? "%" : "");
  }
}
