package dev.policysync.app;

import dev.policysync.cli.ExitCode;
import dev.policysync.cli.InternalErrorMessage;
import dev.policysync.cli.RunningCommand;
import dev.policysync.sync.execution.Cancellation;
import dev.policysync.sync.execution.StopReason;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/// Makes sure that a run ends in time and with a summary, even if it hangs or fails (promises 12
/// and 14).
///
/// A signal cancels reads at once and writes after 2 s; then the run releases its Lease and prints
/// its summary. A step that cannot be cancelled, such as a DNS lookup or a standard input that
/// never ends, gets only the run's remaining time: then the summary is written without its result.
/// If writing the summary blocks, because no process reads the output, the process ends without a
/// summary.
final class ShutdownWatchdog {
  /// How long a write in progress may continue after a signal: it may still succeed, and then its
  /// result is known.
  private static final Duration WRITE_GRACE = Duration.ofSeconds(2);

  /// How long a run may take to end after it was told to. This is a little longer than its calls
  /// may take, and a little less than the 5 s that are planned for a pod's end.
  private static final Duration END_LIMIT = Duration.ofMillis(4_500);

  /// The time for the last output, which is the rest of those 5 s. A pipe with a reader accepts a
  /// summary within a millisecond.
  private static final Duration SUMMARY_TIME = Duration.ofMillis(500);

  private final RunningCommand command;
  private final AtomicReference<Runnable> release = new AtomicReference<>(() -> {});
  private final CountDownLatch finished = new CountDownLatch(1);

  ShutdownWatchdog(RunningCommand command) {
    this.command = command;
  }

  /// Ends the process if the calling thread dies, or if any thread dies of an [Error], because the
  /// state of the run is unknown then.
  void endAtErrors() {
    var main = Thread.currentThread();
    Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> {
      if (finishedWithin(Duration.ZERO) || !(thrown instanceof Error || thread.equals(main))) {
        InternalErrorMessage.log(thrown);
      } else {
        endAfter(() -> runInParallelBriefly(List.of(() -> command.fail(thrown))));
      }
    });
  }

  /// Sets how to release the Lease if the process must end in the middle of a run. `releaseLease`
  /// is called after the run's own time is over, so that no call of the run begins after the
  /// release.
  void onCutOff(Runnable releaseLease) {
    release.set(releaseLease);
  }

  /// Starts to watch for signals and the timeout.
  ///
  /// @param cancelReads cancels reads, and returns what cancels the writes too
  void watch(Cancellation stop, Supplier<Runnable> cancelReads) {
    var onSignal = new Thread(() -> onSignal(stop, cancelReads), "on-signal");
    Runtime.getRuntime().addShutdownHook(onSignal);
    Thread.ofPlatform().daemon().name("on-deadline").start(() -> onDeadline(stop));
  }

  /// Records that the run has ended by itself.
  void finished() {
    finished.countDown();
  }

  /// Handles a signal. The JVM also calls this at every normal end, when the run has already
  /// finished.
  private void onSignal(Cancellation stop, Supplier<Runnable> cancelReads) {
    if (finishedWithin(Duration.ZERO)) {
      return;
    }
    stop.raise(StopReason.SIGNAL);
    var writes = cancelReads.get();
    if (finishedWithin(WRITE_GRACE)) {
      return;
    }
    writes.run();
    if (!finishedWithin(END_LIMIT.minus(WRITE_GRACE))) {
      cutOff(StopReason.SIGNAL);
    }
  }

  private void onDeadline(Cancellation stop) {
    if (!finishedWithin(stop.remaining().plus(END_LIMIT))) {
      endAfter(() -> cutOff(StopReason.DEADLINE));
    }
  }

  private void cutOff(StopReason why) {
    runInParallelBriefly(List.of(() -> command.printCutOff(why.toString()), release.get()));
  }

  @SuppressWarnings("SystemExitOutsideMain")
  private static void endAfter(Runnable words) {
    try {
      words.run();
    } finally {
      Runtime.getRuntime().halt(ExitCode.FAILED.code());
    }
  }

  /// Runs the tasks in parallel and waits for them briefly. Each may block, in the pipe itself or
  /// on a lock that another thread holds.
  private static void runInParallelBriefly(List<Runnable> last) {
    var end = System.nanoTime() + SUMMARY_TIME.toNanos();
    try {
      var threads =
          last.stream()
              .map(what -> Thread.ofPlatform().daemon().name("last-word").start(what))
              .toList();
      for (var thread : threads) {
        var _ = thread.join(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } catch (OutOfMemoryError _) {
      last.getFirst().run(); // no memory for a thread
    }
  }

  private boolean finishedWithin(Duration time) {
    try {
      return finished.await(time.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return true;
    }
  }
}
