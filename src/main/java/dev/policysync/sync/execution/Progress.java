package dev.policysync.sync.execution;

/// Who wants to see a run at work: a terminal's progress line.
public interface Progress {
  /// Nobody looks.
  Progress NONE =
      new Progress() {
        @Override
        public void step(String what) {}

        @Override
        public void finished(Outcome outcome, int done, int of) {}
      };

  /// A new step begins: `reading the feed`.
  void step(String what);

  /// One action has ended, the `done`th of so many.
  void finished(Outcome outcome, int done, int of);
}
