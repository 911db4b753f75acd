package dev.policysync.sync;

import java.util.Locale;
import java.util.function.ToIntFunction;

/// The states in which the policies of a run are counted: the values of the metric label `state`. A
/// policy is in exactly one state.
enum PolicyState {
  /// In sync with the feed, and executed.
  IN_FORCE(summary ->
      summary.writes().applied().size()
          + summary.writes().updated().size()
          + summary.untouched().unchanged()
          - summary.untouched().notInForce().size()),
  /// In sync with the feed, but not executed.
  NOT_IN_FORCE(summary -> summary.untouched().notInForce().size()),
  FAILED(summary ->
      (int)
          summary.writes().failed().stream()
              .filter(problem -> problem.label().isPresent())
              .count()),
  /// Not attempted, because of another failure.
  NOT_ATTEMPTED(summary -> summary.writes().notAttempted().size()),
  /// Waiting for a later run, because Kyverno must first learn of other changes.
  WAITING(summary -> summary.pending().waiting().size()),
  WITHHELD(summary -> summary.pending().withheld().size()),
  /// In conflict: a policy of an expected name is not ours.
  CONFLICT(summary -> summary.untouched().conflicts().size()),
  IGNORED(summary -> summary.untouched().ignored().size()),
  /// Being deleted, and waiting for a finalizer.
  TERMINATING(summary -> summary.untouched().terminating().size());

  @SuppressWarnings("ImmutableEnumChecker") // captures nothing
  private final ToIntFunction<Summary> count;

  PolicyState(ToIntFunction<Summary> count) {
    this.count = count;
  }

  int in(Summary summary) {
    return count.applyAsInt(summary);
  }

  /// Returns the label value: `in_force`.
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
