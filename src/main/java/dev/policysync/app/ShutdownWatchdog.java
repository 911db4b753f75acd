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

/// Sees to it that a run ends in time and with a summary, whatever it is stuck in and whatever
/// breaks it (promises 12 and 14).
///
/// A signal breaks off what is being read at once and what is being written after 2 s; the run then
/// gives back its Lease and sums up. What cannot be broken off, such as the lookup of a host name
/// or a standard input that never ends, gets no more than its time: then the summary is written
/// without it. Where even that gets stuck, because nobody reads what the process writes, it ends
/// without.
final class ShutdownWatchdog {
  /// A write under way may still succeed, and to know that is worth a moment.
  private static final Duration FOR_WRITES = Duration.ofSeconds(2);

  /// When a run that was told to end must have done so: a little later than its calls must have,
  /// and a little sooner than 5 s, which is what a pod's end is planned with.
  private static final Duration AT_ALL = Duration.ofMillis(4_500);

  /// What is left of those 5 s. A pipe that somebody reads takes a summary in a millisecond.
  private static final Duration FOR_LAST_WORD = Duration.ofMillis(500);

  private final RunningCommand command;
  private final AtomicReference<Runnable> release = new AtomicReference<>(() -> {});
  private final CountDownLatch finished = new CountDownLatch(1);

  ShutdownWatchdog(RunningCommand command) {
    this.command = command;
  }

  /// Ends the process when this thread dies, or any other of an [Error]: nobody knows what a run
  /// does without it.
  void endAtErrors() {
    var main = Thread.currentThread();
    Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> {
      if (finishedWithin(Duration.ZERO) || !(thrown instanceof Error || thread.equals(main))) {
        InternalErrorMessage.log(thrown);
      } else {
        endAfter(() -> doBriefly(List.of(() -> command.breakDown(thrown))));
      }
    });
  }

  /// Sets how to release the Lease when the process is ended in the middle of a run. It is called
  /// once the run's own time is over, so that none of the run's calls begins after it.
  void onCutOff(Runnable releaseLease) {
    release.set(releaseLease);
  }

  /// Watches for signals and the clock from now on.
  ///
  /// @param cancelReads breaks off what is being read, and returns what breaks off the writes too
  void watch(Cancellation stop, Supplier<Runnable> cancelReads) {
    var onSignal = new Thread(() -> onSignal(stop, cancelReads), "on-signal");
    Runtime.getRuntime().addShutdownHook(onSignal);
    Thread.ofPlatform().daemon().name("on-deadline").start(() -> onDeadline(stop));
  }

  /// The run has ended by itself.
  void finished() {
    finished.countDown();
  }

  /// Runs when the process is told to end, and at every normal end too, when there is nothing left
  /// to wait for.
  private void onSignal(Cancellation stop, Supplier<Runnable> cancelReads) {
    if (finishedWithin(Duration.ZERO)) {
      return;
    }
    stop.raise(StopReason.SIGNAL);
    var writes = cancelReads.get();
    if (finishedWithin(FOR_WRITES)) {
      return;
    }
    writes.run();
    if (!finishedWithin(AT_ALL.minus(FOR_WRITES))) {
      cutOff(StopReason.SIGNAL);
    }
  }

  private void onDeadline(Cancellation stop) {
    if (!finishedWithin(stop.remaining().plus(AT_ALL))) {
      endAfter(() -> cutOff(StopReason.DEADLINE));
    }
  }

  private void cutOff(StopReason why) {
    doBriefly(List.of(() -> command.lastWord(why.toString()), release.get()));
  }

  @SuppressWarnings("SystemExitOutsideMain")
  private static void endAfter(Runnable words) {
    try {
      words.run();
    } finally {
      Runtime.getRuntime().halt(ExitCode.FAILED.code());
    }
  }

  /// Side by side, in threads that may get stuck: in the pipe itself, or where another one holds on
  /// to it.
  private static void doBriefly(List<Runnable> last) {
    var end = System.nanoTime() + FOR_LAST_WORD.toNanos();
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
      last.getFirst().run(); // for want of a thread
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
