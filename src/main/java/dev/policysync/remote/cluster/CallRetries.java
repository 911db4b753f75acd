package dev.policysync.remote.cluster;

import dev.policysync.remote.cluster.KubeCalls.Refusal;
import dev.policysync.remote.http.Retries;
import dev.policysync.remote.http.RetryAfter;
import dev.policysync.sync.execution.TimeBudget;
import io.github.resilience4j.retry.RetryConfig;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import okhttp3.Request;
import okhttp3.Response;

/// Which requests are sent again, and after how long. All numbers for the API server's retries are
/// here. Sent again are
///
/// - requests that a busy server rejects (429, or 503 with Retry-After), since the server did
///   nothing;
/// - reads that failed for a reason that often passes: no connection, a truncated response, a 5xx
///   such as `etcdserver: leader changed`;
/// - writes only if they certainly did not arrive, or are dry runs. Whether any other write without
///   a response was done is unknown: it fails as retryable, and its caller reads the object before
///   writing again.
record CallRetries(Request request) implements Retries.Rules {
  /// The number of attempts at a busy server, as many as kubectl makes.
  private static final int ATTEMPTS = 10;

  /// The longest wait between two attempts, even if Retry-After asks for more.
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

  /// The waits before a failed read is repeated, the first and the last time. etcd members wait a
  /// second before they elect another leader, and a load balancer needs no longer to notice that a
  /// server is gone. Longer failures are left to the next run.
  private static final List<Duration> READ_AGAIN_AFTER =
      List.of(Duration.ofMillis(200), Duration.ofMillis(1200));

  /// Statuses of a server, or of a proxy in front of it, that often pass.
  private static final Set<Integer> PASSING = Set.of(429, 500, 502, 503, 504);

  /// A rejection with Retry-After does not use up a wait of [#READ_AGAIN_AFTER].
  @Override
  public RetryConfig config() {
    var waits = READ_AGAIN_AFTER.iterator();
    return RetryConfig.custom()
        .maxAttempts(ATTEMPTS)
        .retryOnException(e -> e instanceof IOException failure && mayRepeat(failure))
        .intervalBiFunction((_, failed) ->
            waitFor(failed.getLeft())
                .or(() -> waits.hasNext() ? Optional.of(waits.next()) : Optional.empty())
                .map(Duration::toMillis)
                .orElse(-1L))
        .build();
  }

  /// Returns whether the request may be sent again after this response.
  static boolean mayRepeat(Response response) {
    return waitFor(response).isPresent()
        || (KubeCalls.reads(response.request()) && PASSING.contains(response.code()));
  }

  private boolean mayRepeat(IOException failure) {
    if (failure instanceof Refusal refusal) {
      return mayRepeat(refusal.response);
    }
    return (KubeCalls.reads(request) || dryRun(request))
        ? Unreachable.mayPass(failure)
        : Unreachable.unsent(failure);
  }

  private static boolean dryRun(Request request) {
    return request.url().queryParameter("dryRun") != null;
  }

  private static Optional<Duration> waitFor(Throwable failure) {
    return failure instanceof Refusal refusal ? waitFor(refusal.response) : Optional.empty();
  }

  /// Returns how long the server asks to wait, if it does. The API server sends 429 and 503 with
  /// Retry-After for API Priority and Fairness, or while a watch cache is still filling. It has
  /// done nothing then.
  private static Optional<Duration> waitFor(Response response) {
    if (response.header("Retry-After") == null
        || (response.code() != 429 && response.code() != 503)) {
      return Optional.empty();
    }
    var asked = RetryAfter.of(response, Instant.now());
    return Optional.of(
        asked == null ? Duration.ofSeconds(1) : TimeBudget.shorter(asked, LONGEST_WAIT));
  }
}
