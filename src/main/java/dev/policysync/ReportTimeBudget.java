package dev.policysync;

import dev.policysync.cluster.connection.ClusterConnection;
import java.time.Duration;
import java.util.Optional;

/// Waits for policy reports no longer than they are worth: a minute, and half of what is left of
/// the run at most. The sync goes on without them.
final class ReportTimeBudget implements ClusterConnection.TimeBudget {
  private static final Duration LONGEST = Duration.ofMinutes(1);

  private final RunTimeBudget run;
  private final long end;
  private final Duration limit;

  ReportTimeBudget(RunTimeBudget run) {
    this.run = run;
    var half = run.allowance(Duration.ZERO).dividedBy(2);
    this.limit = half.compareTo(LONGEST) < 0 ? half : LONGEST;
    this.end = run.nanoTime() + limit.toNanos();
  }

  @Override
  public long nanoTime() {
    return run.nanoTime();
  }

  @Override
  public boolean pause(Duration time) throws InterruptedException {
    var left = left();
    return run.pause(time.compareTo(left) < 0 ? time : left) && time.compareTo(left) < 0;
  }

  @Override
  public Duration allowance(Duration beyond) {
    var allowed = run.allowance(beyond);
    var left = left();
    return allowed.compareTo(left) < 0 ? allowed : left;
  }

  @Override
  public Optional<String> over() {
    return run.over()
        .or(() ->
            left().isZero()
                ? Optional.of("reading the reports took longer than " + limit.toSeconds() + " s")
                : Optional.empty());
  }

  private Duration left() {
    return Duration.ofNanos(Math.max(0, end - run.nanoTime()));
  }
}
