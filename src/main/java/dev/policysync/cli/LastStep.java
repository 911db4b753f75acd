package dev.policysync.cli;

import dev.policysync.sync.Outcome;
import dev.policysync.sync.Progress;

/// Remembers what a run is doing, in case it gets stuck in it.
final class LastStep implements Progress {
  private final Progress shown;
  private volatile String last = "starting";

  /// @param shown who wants to see it, too
  LastStep(Progress shown) {
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
