package dev.policysync.insights;

import dev.policysync.sync.PolicyStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;

/// One round of sending statuses, several at once, until all are sent or it is pointless to go on.
///
/// Platform threads, few and gone at its end: blocking virtual threads start a poller that the JVM
/// waits for when it exits.
final class StatusBatch {
  private static final int AT_ONCE = 4;
  private static final int FAILURES_IN_A_ROW = 3;
  private static final String NO_TIME = "no time was left";

  private final List<PolicyStatus> statuses;
  private final Deadline deadline;
  private final Sender sender;
  private final AtomicIntegerArray taken;
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicInteger failuresInARow = new AtomicInteger();
  private final AtomicReference<String> reason = new AtomicReference<>(NO_TIME);

  StatusBatch(List<PolicyStatus> statuses, Deadline deadline, Sender sender) {
    this.statuses = List.copyOf(statuses);
    this.deadline = deadline;
    this.sender = sender;
    this.taken = new AtomicIntegerArray(statuses.size());
  }

  /// Sends one status, repeating it where that helps.
  interface Sender {
    void send(PolicyStatus status) throws FailedAttempt;
  }

  /// Returns when all are sent, when it gave up, or at once when the calling thread is interrupted.
  void send() {
    var workers = new ArrayList<Thread>(AT_ONCE);
    for (var i = 0; i < Math.min(AT_ONCE, statuses.size()); i++) {
      workers.add(Thread.ofPlatform().daemon().name("status-" + i).start(this::work));
    }
    try {
      for (var worker : workers) {
        worker.join();
      }
    } catch (InterruptedException _) {
      reason.compareAndSet(NO_TIME, "interrupted");
      workers.forEach(Thread::interrupt);
      Thread.currentThread().interrupt();
    }
  }

  /// Those that the API has not confirmed, in the order in which they were given.
  List<PolicyStatus> notTaken() {
    var rest = new ArrayList<PolicyStatus>();
    for (var i = 0; i < statuses.size(); i++) {
      if (taken.get(i) == 0) {
        rest.add(statuses.get(i));
      }
    }
    return rest;
  }

  /// Why the first of them was not taken.
  String reason() {
    return reason.get();
  }

  private void work() {
    while (worthwhile()) {
      var index = next.getAndIncrement();
      if (index >= statuses.size()) {
        return;
      }
      try {
        sender.send(statuses.get(index));
        taken.set(index, 1);
        failuresInARow.set(0);
      } catch (FailedAttempt failure) {
        reason.compareAndSet(NO_TIME, failure.getMessage());
        if (!failure.concernsOnlyThisRequest()) {
          failuresInARow.incrementAndGet();
        }
      }
    }
  }

  private boolean worthwhile() {
    return failuresInARow.get() < FAILURES_IN_A_ROW
        && !deadline.passed()
        && !Thread.currentThread().isInterrupted();
  }
}
