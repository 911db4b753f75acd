package dev.policysync.sync.execution;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Tells a run when to stop: a signal came, or its time is up. Looked at between two writes, and by
/// every call, to know how long it may take.
public final class Cancellation implements TimeBudget {
  /// How long after the sign a run may still speak to others: to end what it had begun, give back
  /// the Lease and note what is left. A pod that is told to end is expected to be gone in 5 s.
  private static final Duration ENDING = Duration.ofSeconds(4);

  private final LongSupplier nanoTime;
  private final long deadline;
  private final CountDownLatch shown = new CountDownLatch(1);
  private final AtomicReference<@Nullable Raised> raised = new AtomicReference<>();

  private record Raised(StopReason reason, long at) {}

  /// A sign that shows by itself after that time, by a monotonic clock such as `System::nanoTime`.
  public Cancellation(Duration timeout, LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.deadline = nanoTime.getAsLong() + timeout.toNanos();
  }

  /// Shows it now; the first reason stays.
  public void raise(StopReason reason) {
    raise(new Raised(reason, nanoTime.getAsLong()));
  }

  private void raise(Raised now) {
    raised.compareAndSet(null, now);
    shown.countDown();
  }

  /// Why to stop, if it is time to.
  public Optional<StopReason> reason() {
    return raised().map(Raised::reason);
  }

  @Override
  public Optional<String> over() {
    return reason().map(StopReason::toString);
  }

  private Optional<Raised> raised() {
    if (remaining().isZero()) {
      raise(new Raised(StopReason.DEADLINE, deadline));
    }
    return Optional.ofNullable(raised.get());
  }

  @Override
  public Duration allowance(Duration beyond) {
    var now = nanoTime.getAsLong();
    return raised()
        .map(sign -> Duration.ofNanos(Math.max(0, sign.at() + ENDING.toNanos() - now)))
        .orElseGet(() -> remaining().plus(beyond));
  }

  /// What is left of the run's time.
  public Duration remaining() {
    return Duration.ofNanos(Math.max(0, deadline - nanoTime.getAsLong()));
  }

  /// Waits that long, but no longer than until the sign shows.
  @Override
  public boolean pause(Duration time) throws InterruptedException {
    return !shown.await(time.toNanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  public long nanoTime() {
    return nanoTime.getAsLong();
  }
}
