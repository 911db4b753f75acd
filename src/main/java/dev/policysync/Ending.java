package dev.policysync;

import dev.policysync.cli.ExitCode;
import dev.policysync.sync.Stop;
import dev.policysync.sync.StopSign;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Sees to it that a run ends in time and with a summary, whatever it is stuck in (promises 12 and
/// 14).
///
/// A signal breaks off what is being read at once and what is being written after 2 s; the run then
/// gives back its Lease and sums up. What cannot be broken off, such as the lookup of a host name
/// or a standard input that never ends, gets no more than its time: then the summary is written
/// without it.
final class Ending {
  /// A write under way may still succeed, and to know that is worth a moment.
  private static final Duration FOR_WRITES = Duration.ofSeconds(2);

  /// When a run that was told to end must have done so: a little later than its calls must have,
  /// and a little sooner than 5 s, which is what a pod's end is planned with.
  private static final Duration AT_ALL = Duration.ofMillis(4_500);

  private final StopSign stop;
  private final Supplier<Runnable> cancelReads;
  private final Consumer<String> lastWord;
  private final CountDownLatch finished = new CountDownLatch(1);

  /// @param cancelReads breaks off what is being read, and returns what breaks off the writes too
  /// @param lastWord writes the summary of a run that does not come to its end, with that reason
  Ending(StopSign stop, Supplier<Runnable> cancelReads, Consumer<String> lastWord) {
    this.stop = stop;
    this.cancelReads = cancelReads;
    this.lastWord = lastWord;
  }

  /// Watches for signals and the clock from now on.
  void watch() {
    Runtime.getRuntime().addShutdownHook(new Thread(this::onSignal, "on-signal"));
    Thread.ofPlatform().daemon().name("on-deadline").start(this::onDeadline);
  }

  /// The run has ended by itself.
  void finished() {
    finished.countDown();
  }

  /// Runs when the process is told to end, and at every normal end too, when there is nothing left
  /// to wait for.
  private void onSignal() {
    if (finishedWithin(Duration.ZERO)) {
      return;
    }
    stop.raise(Stop.SIGNAL);
    var writes = cancelReads.get();
    if (finishedWithin(FOR_WRITES)) {
      return;
    }
    writes.run();
    if (!finishedWithin(AT_ALL.minus(FOR_WRITES))) {
      lastWord.accept(Stop.SIGNAL.toString());
    }
  }

  @SuppressWarnings("SystemExitOutsideMain")
  private void onDeadline() {
    if (!finishedWithin(stop.remaining().plus(AT_ALL))) {
      lastWord.accept(Stop.DEADLINE.toString());
      Runtime.getRuntime().halt(ExitCode.FAILED.code());
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
