package dev.policysync.remote.cluster;

import dev.policysync.sync.execution.TimeBudget;
import java.io.IOException;
import java.time.Duration;
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
final class CallRetries {
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

  private CallRetries() {}

  /// How long to wait before the same is asked once more; empty where the answer counts.
  static Optional<Duration> after(Request request, Response response, int attempt) {
    var busy = busyFor(response);
    if (busy.isPresent()) {
      return attempt < ATTEMPTS ? busy : Optional.empty();
    }
    return KubeCalls.reads(request) && PASSING.contains(response.code())
        ? waitBefore(attempt + 1)
        : Optional.empty();
  }

  /// How long to wait before the same is asked once more after no answer, or half of one.
  static Optional<Duration> after(Request request, IOException failure, int attempt) {
    var harmless =
        (KubeCalls.reads(request) || dryRun(request))
            ? Unreachable.mayPass(failure)
            : Unreachable.unsent(failure);
    return harmless ? waitBefore(attempt + 1) : Optional.empty();
  }

  private static Optional<Duration> waitBefore(int attempt) {
    return attempt - 2 < READ_AGAIN_AFTER.size()
        ? Optional.of(READ_AGAIN_AFTER.get(attempt - 2))
        : Optional.empty();
  }

  private static boolean dryRun(Request request) {
    return request.url().queryParameter("dryRun") != null;
  }

  /// 429 and 503 with Retry-After are the API server's own way to ask for patience: priority and
  /// fairness, or a watch cache that is still filling. Nothing was done then.
  static Optional<Duration> busyFor(Response response) {
    var retryAfter = response.header("Retry-After");
    if (retryAfter == null || (response.code() != 429 && response.code() != 503)) {
      return Optional.empty();
    }
    try {
      var asked = Duration.ofSeconds(Long.parseLong(retryAfter.trim()));
      return Optional.of(TimeBudget.shorter(asked, LONGEST_WAIT));
    } catch (NumberFormatException e) {
      return Optional.of(Duration.ofSeconds(1));
    }
  }
}
