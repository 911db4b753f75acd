package dev.policysync.cli.sync;

import dev.policysync.cli.Output;
import dev.policysync.sync.execution.Outcome;
import dev.policysync.sync.execution.Progress;

/// A line on the terminal that shows what the run is doing. It is overwritten at each step and
/// erased at the end.
final class ProgressLine implements Progress {
  private final Output err;

  ProgressLine(Output err) {
    this.err = err;
  }

  @Override
  public synchronized void step(String what) {
    show(what + " …");
  }

  @Override
  public synchronized void finished(Outcome outcome, int done, int of) {
    show(done + " of " + of + "  " + outcome.action().id());
  }

  void end() {
    show("");
  }

  private void show(String text) {
    err.rewrite(text);
  }
}
