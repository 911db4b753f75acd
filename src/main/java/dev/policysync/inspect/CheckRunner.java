package dev.policysync.inspect;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Runs all checks concurrently and reports their results in the order of the checks, each as soon
/// as it and those before it are complete. A check that times out does not hold back the others.
public final class CheckRunner {
  private final List<Check> checks;
  private final Duration patience;
  private final Supplier<Duration> left;

  /// @param patience the maximum time to wait for any result
  /// @param left returns the time left for the whole run
  public CheckRunner(List<Check> questions, Duration patience, Supplier<Duration> left) {
    this.checks = List.copyOf(questions);
    this.patience = patience;
    this.left = left;
  }

  /// Runs the checks and returns when every result was reported.
  public void run(Consumer<CheckResult> reported) {
    var pending = new LinkedHashMap<String, CompletableFuture<List<CheckResult>>>();
    checks.forEach(check -> pending.put(check.subject(), new CompletableFuture<>()));
    // Daemon threads, because a DNS lookup cannot be interrupted and must not keep the process
    // alive.
    checks.forEach(check ->
        Thread.ofPlatform()
            .daemon()
            .name("asks about " + check.subject())
            .start(() -> answer(check, pending)));
    var limit = shorter(patience, left.get());
    var end = System.nanoTime() + limit.toNanos();
    pending.forEach((subject, answers) -> await(subject, answers, end, limit).forEach(reported));
  }

  private static void answer(
      Check check, Map<String, CompletableFuture<List<CheckResult>>> pending) {
    var own = pending.getOrDefault(check.subject(), new CompletableFuture<>());
    try {
      var failed =
          check.after().stream()
              .filter(other -> pending.containsKey(other) && failed(pending.get(other)))
              .findFirst();
      own.complete(
          failed.isPresent()
              ? List.of(
                  CheckResult.unknown(
                      check.subject(), "skipped because of the failure above: " + failed.get()))
              : check.run().ask());
    } catch (RuntimeException | Error e) {
      own.complete(
          List.of(
              CheckResult.failure(
                  check.subject(),
                  "internal error in policy-sync: " + e.getClass().getSimpleName(),
                  "please report it with the log")));
      throw e; // so that it is logged
    }
  }

  private static boolean failed(CompletableFuture<List<CheckResult>> before) {
    return before.join().stream()
        .anyMatch(checkResult ->
            checkResult.status() == CheckStatus.FAILURE
                || checkResult.status() == CheckStatus.UNKNOWN);
  }

  private static List<CheckResult> await(
      String subject, CompletableFuture<List<CheckResult>> answers, long end, Duration limit) {
    try {
      return answers.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      return List.of(
          CheckResult.failure(
              subject,
              "no response within " + limit.toSeconds() + " s",
              "check for a firewall or NetworkPolicy that drops packets, and the name server"));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of(CheckResult.unknown(subject, "interrupted"));
    } catch (ExecutionException e) {
      throw new IllegalStateException("the check of " + subject + " failed", e.getCause());
    }
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
