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

/// Work on several threads at once.
///
/// They are platform threads: a virtual one that is blocked in a socket keeps the JVM from ending
/// at once.
public final class Parallel {
  private Parallel() {}

  /// Threads for work that is handed to them piece by piece; closing them waits for all of it, and
  /// breaks it off where the one who waits is interrupted.
  ///
  /// @param atOnce how many there are at the most
  public static ExecutorService threads(int atOnce) {
    return Executors.newFixedThreadPool(atOnce);
  }

  /// What comes of work on such threads, which are broken off where an `Error` ends it: after one,
  /// such as a full heap, the threads that a connection needs may be gone, and nobody answers those
  /// that wait for it.
  ///
  /// @param atOnce how many there are at the most
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

  /// What the function makes of each item, in the order of the items.
  ///
  /// @param atOnce how many of them at a time
  /// @param doing for the message of an interruption: `reading policies`
  /// @throws IllegalStateException if the wait is interrupted; whatever the function throws is
  ///   thrown as it is
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

  /// What a piece of work has come to, if it is done within that time; empty also where it failed,
  /// which [#result] tells.
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

  /// What a piece of work has come to, once it is done.
  ///
  /// @param doing for the message of an interruption: `waiting for a write`
  /// @throws IllegalStateException if the wait is interrupted; whatever the work threw is thrown as
  ///   it is
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
