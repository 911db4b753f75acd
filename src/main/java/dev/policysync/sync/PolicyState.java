package dev.policysync.sync;

import java.util.Locale;
import java.util.function.ToIntFunction;

/// How the policies of a run are counted, a line each: the values of the label `state`. A policy is
/// in one of them.
enum PolicyState {
  /// As the feed wants it.
  IN_FORCE(summary ->
      summary.applied().size()
          + summary.updated().size()
          + summary.unchanged()
          - summary.notInForce().size()),
  /// As the feed wants it, and nothing executes it.
  NOT_IN_FORCE(summary -> summary.notInForce().size()),
  FAILED(summary ->
      (int) summary.failed().stream().filter(problem -> problem.label().isPresent()).count()),
  /// Not tried, because of something that failed.
  NOT_ATTEMPTED(summary -> summary.notAttempted().size()),
  /// Left to a later run, when Kyverno knows what it depends on.
  WAITING(summary -> summary.waiting().size()),
  /// A guard holds its change or its removal back.
  WITHHELD(summary -> summary.withheld().size()),
  /// Its name is taken by a policy of somebody else.
  CONFLICT(summary -> summary.conflicts().size()),
  /// Left alone because somebody asked for it.
  IGNORED(summary -> summary.ignored().size()),
  /// Its removal waits for a finalizer.
  TERMINATING(summary -> summary.terminating().size());

  @SuppressWarnings("ImmutableEnumChecker") // captures nothing
  private final ToIntFunction<Summary> count;

  PolicyState(ToIntFunction<Summary> count) {
    this.count = count;
  }

  int in(Summary summary) {
    return count.applyAsInt(summary);
  }

  /// `in_force`.
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
