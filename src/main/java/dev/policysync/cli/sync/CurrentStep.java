package dev.policysync.cli.sync;

import dev.policysync.sync.execution.Outcome;
import dev.policysync.sync.execution.Progress;

/// Remembers what a run is doing, in case it gets stuck in it.
final class CurrentStep implements Progress {
  private final Progress shown;
  private volatile String last = "starting";

  /// @param shown who wants to see it, too
  CurrentStep(Progress shown) {
    this.shown = shown;
  }

  @Override
  public void step(String what) {
    last = what;
    shown.step(what);
  }

  @Override
  public void finished(Outcome outcome, int done, int of) {
    shown.finished(outcome, done, of);
  }

  /// `reading the feed and the cluster`.
  @Override
  public String toString() {
    return last;
  }
}
