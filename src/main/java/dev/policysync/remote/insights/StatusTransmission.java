package dev.policysync.remote.insights;

import dev.policysync.sync.PolicyStatus;
import dev.policysync.sync.StatusSink;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import okhttp3.HttpUrl;
import okhttp3.Protocol;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The statuses of one run on their way, several at once, until all are sent or it is pointless to
/// go on.
///
/// Whether it is pointless says a circuit breaker that never closes again, since the next try is
/// the next run's. It is made, and resilience4j loaded, when the first status has failed.
///
/// Platform threads, few and gone soon after the last status: blocking virtual threads start a
/// poller that the JVM waits for when it exits.
final class StatusTransmission implements StatusSink.Transmission {
  private static final Logger log = LoggerFactory.getLogger(StatusTransmission.class);

  /// Each takes a connection of its own over HTTP/1.1.
  private static final int AT_ONCE = 4;

  /// All share one connection over HTTP/2, and wait there if the API grants fewer streams.
  private static final int STREAMS = 32;

  private static final String NO_TIME = "no time left";

  private final HttpUrl url;
  private final Sender sender;
  private final Duration budget;
  private final RetryClock clock;
  private final ThreadPoolExecutor threads = threads();
  private final Set<PolicyStatus> notTaken = Collections.synchronizedSet(new LinkedHashSet<>());
  private final AtomicReference<String> reason = new AtomicReference<>(NO_TIME);
  private final AtomicReference<@Nullable CircuitBreaker> breaker = new AtomicReference<>();
  private volatile @Nullable Deadline last;

  /// @param budget for each while the run goes on, and for all that are left then
  StatusTransmission(HttpUrl url, Sender sender, Duration budget, RetryClock clock) {
    this.url = url;
    this.sender = sender;
    this.budget = budget;
    this.clock = clock;
  }

  /// Sends one status, repeating it where that helps, and answers how it got there.
  interface Sender {
    Protocol send(PolicyStatus status, Supplier<String> body, Deadline deadline)
        throws FailedAttempt;
  }

  @Override
  public void send(PolicyStatus status, Supplier<String> body) {
    notTaken.add(status);
    threads.execute(() -> transmit(status, body));
  }

  /// Returns when all are sent, when it gave up, or at once when the calling thread is interrupted.
  @Override
  public List<PolicyStatus> end() {
    last = Deadline.in(budget, clock);
    threads.shutdown();
    try {
      var _ = threads.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
    } catch (InterruptedException _) {
      reason.compareAndSet(NO_TIME, "interrupted");
      threads.shutdownNow();
      Thread.currentThread().interrupt();
    }
    var rest = List.copyOf(notTaken);
    if (!rest.isEmpty()) {
      log.atWarn()
          .addKeyValue("count", rest.size())
          .addKeyValue("reason", "PUT " + url + ": " + reason.get())
          .log("Policy statuses not accepted by the API");
    }
    return rest;
  }

  private void transmit(PolicyStatus status, Supplier<String> body) {
    var deadline = deadline();
    if (open() || deadline.passed()) {
      return;
    }
    try {
      var protocol = sender.send(status, body, deadline);
      notTaken.remove(status);
      succeeded();
      if (protocol == Protocol.HTTP_2) {
        threads.setMaximumPoolSize(STREAMS);
        threads.setCorePoolSize(STREAMS);
      }
    } catch (FailedAttempt failure) {
      reason.compareAndSet(NO_TIME, failure.getMessage());
      if (!failure.concernsOnlyThisRequest()) {
        failed(failure);
      }
    } catch (RuntimeException | StackOverflowError defect) {
      // What it says may quote the policy.
      reason.compareAndSet(NO_TIME, "no request could be made: " + defect.getClass().getName());
    }
  }

  private Deadline deadline() {
    var end = last;
    return end == null ? Deadline.in(budget, clock) : end;
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

  /// What waits for a thread is no more than a name each: bodies are made when they are sent.
  private static ThreadPoolExecutor threads() {
    var threads =
        new ThreadPoolExecutor(
            AT_ONCE,
            AT_ONCE,
            1,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().daemon().name("status-", 0).factory());
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }
}
