package dev.policysync.insights;

import dev.policysync.sync.state.PolicyStatus;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import okhttp3.Protocol;
import org.jspecify.annotations.Nullable;

/// One round of sending statuses, several at once, until all are sent or it is pointless to go on.
///
/// Whether it is pointless says a circuit breaker that never closes again, since the next round is
/// the next run's. It is made, and resilience4j loaded, when the first status has failed.
///
/// Platform threads, few and gone at its end: blocking virtual threads start a poller that the JVM
/// waits for when it exits.
final class StatusBatch {
  /// Each takes a connection of its own over HTTP/1.1.
  private static final int AT_ONCE = 4;

  /// All share one connection over HTTP/2, and wait there if the API grants fewer streams.
  private static final int STREAMS = 32;

  private static final String NO_TIME = "no time left";

  private final List<PolicyStatus> statuses;
  private final Deadline deadline;
  private final Sender sender;
  private final AtomicIntegerArray taken;
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicReference<String> reason = new AtomicReference<>(NO_TIME);
  private final AtomicReference<@Nullable CircuitBreaker> breaker = new AtomicReference<>();
  private final List<Thread> workers = new ArrayList<>();
  private boolean interrupted;

  StatusBatch(List<PolicyStatus> statuses, Deadline deadline, Sender sender) {
    this.statuses = List.copyOf(statuses);
    this.deadline = deadline;
    this.sender = sender;
    this.taken = new AtomicIntegerArray(statuses.size());
  }

  /// Sends one status, repeating it where that helps, and answers how it got there.
  interface Sender {
    Protocol send(PolicyStatus status) throws FailedAttempt;
  }

  /// Returns when all are sent, when it gave up, or at once when the calling thread is interrupted.
  void send() {
    begin(AT_ONCE);
    try {
      for (var i = 0; i < begun(); i++) {
        worker(i).join();
      }
    } catch (InterruptedException _) {
      reason.compareAndSet(NO_TIME, "interrupted");
      interrupt();
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

  /// Lets so many be under way. Whoever calls for more is one of them and has not ended, so nobody
  /// stops waiting before they have begun.
  private synchronized void begin(int atOnce) {
    while (!interrupted && workers.size() < Math.min(atOnce, statuses.size())) {
      var name = "status-" + workers.size();
      workers.add(Thread.ofPlatform().daemon().name(name).start(this::work));
    }
  }

  private synchronized int begun() {
    return workers.size();
  }

  private synchronized Thread worker(int number) {
    return workers.get(number);
  }

  private synchronized void interrupt() {
    interrupted = true;
    workers.forEach(Thread::interrupt);
  }

  private void work() {
    while (worthwhile()) {
      var index = next.getAndIncrement();
      if (index >= statuses.size()) {
        return;
      }
      try {
        var protocol = sender.send(statuses.get(index));
        taken.set(index, 1);
        succeeded();
        if (protocol == Protocol.HTTP_2) {
          begin(STREAMS);
        }
      } catch (FailedAttempt failure) {
        reason.compareAndSet(NO_TIME, failure.getMessage());
        if (!failure.concernsOnlyThisRequest()) {
          failed(failure);
        }
      }
    }
  }

  private boolean worthwhile() {
    return !open() && !deadline.passed() && !Thread.currentThread().isInterrupted();
  }

  private void succeeded() {
    var made = breaker.get();
    if (made != null) {
      made.onSuccess(0, TimeUnit.NANOSECONDS);
    }
  }

  /// One after the other: who fails while another one opens the breaker is to find it open, and not
  /// to begin with one more.
  private synchronized void failed(FailedAttempt failure) {
    breaker.compareAndSet(null, closed());
    var made = breaker.get();
    if (made != null) {
      made.onError(0, TimeUnit.NANOSECONDS, failure);
    }
  }

  private boolean open() {
    var made = breaker.get();
    return made != null && made.getState() == CircuitBreaker.State.OPEN;
  }

  private static CircuitBreaker closed() {
    return CircuitBreaker.of(
        "statuses",
        CircuitBreakerConfig.custom()
            .slidingWindowType(CircuitBreakerConfig.SlidingWindowType.COUNT_BASED)
            .slidingWindowSize(RetryRules.FAILED_STATUSES_IN_A_ROW)
            .minimumNumberOfCalls(RetryRules.FAILED_STATUSES_IN_A_ROW)
            .failureRateThreshold(100)
            .build());
  }
}
