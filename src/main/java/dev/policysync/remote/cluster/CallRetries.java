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

/// What is sent again, and after how long; every number of it is here. Sent again is
///
/// - whatever a busy server asks to repeat (429, or 503 with Retry-After), since nothing was done;
/// - a read that failed for reasons that often pass: no connection, half an answer, a 5xx such as
///   `etcdserver: leader changed`;
/// - a write only if it certainly did not arrive, or is a dry run. Of any other write without an
///   answer nobody knows whether it was done: it fails as one that may pass, and whoever asked for
///   it looks before he writes again.
record CallRetries(Request request) implements Retries.Rules {
  /// How often a busy server is asked (as often as kubectl does), and how long we let it make us
  /// wait at once.
  private static final int ATTEMPTS = 10;

  private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

  /// After how long a read that failed is asked once more, and then for the last time. The members
  /// of an etcd wait a second before they elect another leader, and a load balancer needs no more
  /// to find that one of its servers is gone. Longer trouble is left to the next run.
  private static final List<Duration> READ_AGAIN_AFTER =
      List.of(Duration.ofMillis(200), Duration.ofMillis(1200));

  /// Failures of a server, or of what stands before it, that often pass.
  private static final Set<Integer> PASSING = Set.of(429, 500, 502, 503, 504);

  /// What a busy server asks for leaves the waits of a read for later.
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

  /// Whether the request may be sent again after that response.
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

  /// 429 and 503 with Retry-After are the API server's own way to ask for patience: priority and
  /// fairness, or a watch cache that is still filling. Nothing was done then.
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
