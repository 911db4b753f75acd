package dev.policysync.remote.insights;

import dev.policysync.sync.PolicyStatus;
import dev.policysync.sync.StatusSink;
import dev.policysync.sync.execution.TimeBudget;
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

/// Sends the statuses of one run, several at a time, until all are sent or a circuit breaker opens.
///
/// The circuit breaker never closes again: the next run makes the next attempt. It is created, and
/// resilience4j loaded, when the first status fails.
///
/// The threads are few platform threads, which end soon after the last status. Blocking virtual
/// threads would start a poller that the JVM waits for when it exits.
final class StatusTransmission implements StatusSink.Transmission {
  private static final Logger log = LoggerFactory.getLogger(StatusTransmission.class);

  /// The number of threads over HTTP/1.1; each takes a connection of its own.
  private static final int AT_ONCE = 4;

  /// The number of threads over HTTP/2; they share one connection, and wait if the API allows fewer
  /// streams.
  private static final int STREAMS = 32;

  private static final String NO_TIME = "no time left";

  private final HttpUrl url;
  private final Sender sender;
  private final Duration budget;
  private final RetryClock clock;
  private final ThreadPoolExecutor threads = threads();
  private final Set<PolicyStatus> notTaken = Collections.synchronizedSet(new LinkedHashSet<>());
  private final AtomicReference<String> reason = new AtomicReference<>(NO_TIME);
  private @Nullable CircuitBreaker breaker;
  private volatile @Nullable TimeBudget last;

  /// @param budget the time limit of each status while the run continues, and of all remaining
  ///   statuses together after that
  StatusTransmission(HttpUrl url, Sender sender, Duration budget, RetryClock clock) {
    this.url = url;
    this.sender = sender;
    this.budget = budget;
    this.clock = clock;
  }

  /// Sends one status, with retries if they may help, and returns the protocol that it was sent
  /// over.
  interface Sender {
    Protocol send(PolicyStatus status, Supplier<String> body, TimeBudget left) throws FailedAttempt;
  }

  @Override
  public void send(PolicyStatus status, Supplier<String> body) {
    notTaken.add(status);
    threads.execute(() -> transmit(status, body));
  }

  /// Waits until all statuses are sent or given up; returns at once if the calling thread is
  /// interrupted.
  @Override
  public List<PolicyStatus> end() {
    last = clock.within(budget, "");
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
    var left = left();
    if (open() || !left.allowance(Duration.ZERO).isPositive()) {
      return;
    }
    try {
      var protocol = sender.send(status, body, left);
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
      // The message may quote the policy.
      reason.compareAndSet(NO_TIME, "no request could be made: " + defect.getClass().getName());
    }
  }

  private TimeBudget left() {
    var end = last;
    return end == null ? clock.within(budget, "") : end;
  }

  private synchronized void succeeded() {
    if (breaker != null) {
      breaker.onSuccess(0, TimeUnit.NANOSECONDS);
    }
  }

  private synchronized void failed(FailedAttempt failure) {
    if (breaker == null) {
      breaker = closed();
    }
    breaker.onError(0, TimeUnit.NANOSECONDS, failure);
  }

  private synchronized boolean open() {
    return breaker != null && breaker.getState() == CircuitBreaker.State.OPEN;
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

  /// Creates the pool. Queued tasks take little memory: a body is made only when it is sent.
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
