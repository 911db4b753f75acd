package dev.policysync.sync.execution;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/// A part of a run's time.
///
/// @param left returns how long a call may take now
/// @param whyOver the reason once no time is left
record LimitedTimeBudget(TimeBudget run, Supplier<Duration> left, String whyOver)
    implements TimeBudget {
  @Override
  public long nanoTime() {
    return run.nanoTime();
  }

  @Override
  public boolean pause(Duration time) throws InterruptedException {
    var most = left.get();
    return run.pause(TimeBudget.shorter(time, most)) && time.compareTo(most) < 0;
  }

  @Override
  public Duration allowance(Duration beyond) {
    return TimeBudget.shorter(run.allowance(beyond), left.get());
  }

  @Override
  public Optional<String> over() {
    return run.over().or(() -> left.get().isZero() ? Optional.of(whyOver) : Optional.empty());
  }
}
