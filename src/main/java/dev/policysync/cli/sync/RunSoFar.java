package dev.policysync.cli.sync;

import dev.policysync.plan.Plan;
import dev.policysync.policy.Digest;
import dev.policysync.sync.SyncResult;
import dev.policysync.sync.execution.Outcome;
import dev.policysync.sync.execution.Progress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Records the plan and the outcomes of a run in progress, for the summary if the run is cut off.
final class RunSoFar implements Progress {
  private final Progress shown;
  private final List<Outcome> outcomes = new ArrayList<>();
  private Optional<Planned> planned = Optional.empty();
  private volatile String step = "starting";

  private record Planned(Plan plan, Digest feed) {}

  /// @param shown also receives the progress
  RunSoFar(Progress shown) {
    this.shown = shown;
  }

  @Override
  public synchronized void planned(Plan plan, Digest feed) {
    planned = Optional.of(new Planned(plan, feed));
    shown.planned(plan, feed);
  }

  @Override
  public void step(String what) {
    step = what;
    shown.step(what);
  }

  @Override
  public void finished(Outcome outcome, int done, int of) {
    synchronized (this) {
      outcomes.add(outcome);
    }
    shown.finished(outcome, done, of);
  }

  /// Returns the result of a run that ends now: the outcomes so far, and the last step.
  ///
  /// @param reason `the run's TIMEOUT was reached; the run did not stop in time`
  synchronized SyncResult cutOff(String reason) {
    var why = reason + "; last step: " + step;
    return planned
        .map(run -> SyncResult.CutOff.during(progress(why), run.plan(), run.feed(), outcomes))
        .orElseGet(() -> new SyncResult.CutOff(why, Optional.empty()));
  }

  private String progress(String why) {
    var changes = planned.map(run -> run.plan().actions().size()).orElse(0);
    return changes == 0 ? why : why + "; " + outcomes.size() + " of " + changes + " changes ended";
  }
}
