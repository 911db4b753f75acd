package dev.policysync.sync.execution;

import dev.policysync.plan.Plan;
import dev.policysync.policy.Digest;

/// Receives the progress of a run: for the progress line of a terminal, and for the summary of a
/// run that is cut off.
public interface Progress {
  Progress NONE =
      new Progress() {
        @Override
        public void step(String what) {}

        @Override
        public void finished(Outcome outcome, int done, int of) {}
      };

  /// Called before the plan is executed.
  ///
  /// @param feed the digest of the feed that the plan was made from
  default void planned(Plan plan, Digest feed) {}

  /// Called when a new step begins: `reading the feed`.
  void step(String what);

  /// Called when an action has ended, the `done`th of `of`.
  void finished(Outcome outcome, int done, int of);
}
