package dev.policysync.sync.execution;

import dev.policysync.plan.Plan;
import dev.policysync.policy.Digest;

/// Follows a run at work: a terminal's progress line, and what is summed up of a run that is cut
/// off.
public interface Progress {
  /// Nobody looks.
  Progress NONE =
      new Progress() {
        @Override
        public void step(String what) {}

        @Override
        public void finished(Outcome outcome, int done, int of) {}
      };

  /// The plan is made that is now carried out.
  ///
  /// @param feed digest of the feed that it is made from
  default void planned(Plan plan, Digest feed) {}

  /// A new step begins: `reading the feed`.
  void step(String what);

  /// One action has ended, the `done`th of so many.
  void finished(Outcome outcome, int done, int of);
}
