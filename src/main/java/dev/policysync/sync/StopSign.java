package dev.policysync.sync;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Tells a run when to stop writing: a signal came, or its time is up. Looked at between two
/// writes.
public final class StopSign {
  private final LongSupplier nanoTime;
  private final long deadline;
  private final CountDownLatch shown = new CountDownLatch(1);
  private final AtomicReference<@Nullable Stop> raised = new AtomicReference<>();

  /// A sign that shows by itself after that time, by a monotonic clock such as `System::nanoTime`.
  public StopSign(Duration timeout, LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.deadline = nanoTime.getAsLong() + timeout.toNanos();
  }

  /// Shows it now; the first reason stays.
  public void raise(Stop reason) {
    raised.compareAndSet(null, reason);
    shown.countDown();
  }

  /// Why to stop, if it is time to.
  public Optional<Stop> reason() {
    if (remaining().isZero()) {
      raise(Stop.DEADLINE);
    }
    return Optional.ofNullable(raised.get());
  }

  /// What is left of the run's time.
  public Duration remaining() {
    return Duration.ofNanos(Math.max(0, deadline - nanoTime.getAsLong()));
  }

  /// Waits that long, but no longer than until the sign shows.
  ///
  /// @return whether the whole time passed
  public boolean pause(Duration time) throws InterruptedException {
    return !shown.await(time.toNanos(), TimeUnit.NANOSECONDS);
  }

  /// The clock by which the run is timed.
  public long nanoTime() {
    return nanoTime.getAsLong();
  }
}
