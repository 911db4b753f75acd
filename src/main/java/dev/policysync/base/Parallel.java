package dev.policysync.base;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/// Runs work on several threads at once.
///
/// The threads are platform threads, because a virtual thread that is blocked in a socket keeps the
/// JVM from exiting at once.
public final class Parallel {
  private Parallel() {}

  /// Creates a pool of threads. Closing the pool waits for all submitted work; if the closing
  /// thread is interrupted, the pool interrupts the work.
  ///
  /// @param atOnce the maximum number of threads
  public static ExecutorService threads(int atOnce) {
    return Executors.newFixedThreadPool(atOnce);
  }

  /// Runs `work` with a pool of threads and returns its result. If `work` ends with an `Error`, all
  /// threads are interrupted: after an `Error` such as a full heap, the threads that a connection
  /// needs may be gone, and work that waits for the connection would never get an answer.
  ///
  /// @param atOnce the maximum number of threads
  public static <T> T with(int atOnce, Function<ExecutorService, T> work) {
    try (var threads = threads(atOnce)) {
      try {
        return work.apply(threads);
      } catch (Error e) {
        threads.shutdownNow();
        throw e;
      }
    }
  }

  /// Applies the function to each item in parallel and returns the results in the order of the
  /// items.
  ///
  /// @param atOnce the maximum number of items at a time
  /// @param doing for the message of an interruption: `reading policies`
  /// @throws IllegalStateException if the wait is interrupted; whatever the function throws is
  ///   thrown unchanged
  public static <T, R> Map<T, R> map(
      Collection<T> items, int atOnce, String doing, Function<T, R> function) {
    var results = new LinkedHashMap<T, R>();
    if (items.isEmpty()) {
      return results;
    }
    try (var threads = threads(Math.min(atOnce, items.size()))) {
      var pending = new LinkedHashMap<T, Future<R>>();
      for (var item : items) {
        Callable<R> task = () -> function.apply(item);
        pending.put(item, threads.submit(task));
      }
      pending.forEach((item, work) -> results.put(item, result(work, doing)));
    }
    return results;
  }

  /// Returns the result of `work` if it succeeds within that time. The result is also empty if
  /// `work` failed; [#result] throws that failure.
  public static <T> Optional<T> resultWithin(Duration time, Future<T> work) {
    try {
      return Optional.of(work.get(time.toNanos(), TimeUnit.NANOSECONDS));
    } catch (TimeoutException | ExecutionException _) {
      return Optional.empty();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  /// Waits for `work` and returns its result.
  ///
  /// @param doing for the message of an interruption: `waiting for a write`
  /// @throws IllegalStateException if the wait is interrupted; whatever `work` threw is thrown
  ///   unchanged
  public static <T> T result(Future<T> work, String doing) {
    try {
      return work.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while " + doing, e);
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case RuntimeException failure -> throw failure;
        case Error error -> throw error;
        case null, default -> throw new IllegalStateException(doing + " failed", e.getCause());
      }
    }
  }
}
