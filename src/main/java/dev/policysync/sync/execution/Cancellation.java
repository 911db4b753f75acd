package dev.policysync.sync.execution;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Stops a run after a signal, or when its time is over. The run checks this between two writes,
/// and every call takes its time limit from it.
public final class Cancellation implements TimeBudget {
  /// How long a run may still send requests after a request to stop, to finish begun writes,
  /// release the Lease and record its state. A Pod has to end within 5 s.
  private static final Duration ENDING = Duration.ofSeconds(4);

  private final LongSupplier nanoTime;
  private final long deadline;
  private final CountDownLatch shown = new CountDownLatch(1);
  private final AtomicReference<@Nullable Raised> raised = new AtomicReference<>();

  private record Raised(StopReason reason, long at) {}

  /// Creates a cancellation that stops the run after the timeout, by a monotonic clock such as
  /// `System::nanoTime`.
  public Cancellation(Duration timeout, LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.deadline = nanoTime.getAsLong() + timeout.toNanos();
  }

  /// Stops the run now; the first reason stays.
  public void raise(StopReason reason) {
    raise(new Raised(reason, nanoTime.getAsLong()));
  }

  private void raise(Raised now) {
    raised.compareAndSet(null, now);
    shown.countDown();
  }

  /// Returns why the run has to stop; empty if it does not.
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

  public Duration remaining() {
    return Duration.ofNanos(Math.max(0, deadline - nanoTime.getAsLong()));
  }

  /// Waits for this time, or until the run has to stop.
  @Override
  public boolean pause(Duration time) throws InterruptedException {
    return !shown.await(time.toNanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  public long nanoTime() {
    return nanoTime.getAsLong();
  }
}
