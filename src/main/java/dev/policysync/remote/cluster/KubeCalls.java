package dev.policysync.remote.cluster;

import dev.policysync.plan.Failure;
import dev.policysync.remote.cluster.ApiResponse.Attempts;
import dev.policysync.sync.execution.ClusterUnavailable;
import dev.policysync.sync.execution.TimeBudget;
import java.io.IOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import okhttp3.Request;
import okhttp3.Response;

/// Makes calls to the API server: each within its [CallTimeouts], with the retries of
/// [CallRetries], and not more at once than the server can handle.
///
/// [AdaptiveConcurrencyLimiter] protects a busy server, and a webhook that cannot keep up. There is
/// no circuit breaker: a run begins with a read, which fails the run if the server is gone, and it
/// ends early if webhooks are gone. Nor does this class use resilience4j, as the adapter of the
/// remote API does, because a run without changes would have to load it.
final class KubeCalls {
  /// In bytes: enough of a failure's message to recognize its cause.
  private static final long LONGEST_SAYING = 4096;

  private final TimeBudget timeBudget;
  private final CredentialSource credentials;
  private final CallTimeouts timeouts;
  private final AdaptiveConcurrencyLimiter adaptiveConcurrencyLimiter;
  private final BooleanSupplier mayWrite;

  KubeCalls(
      ClusterConnection connection,
      AdaptiveConcurrencyLimiter adaptiveConcurrencyLimiter,
      BooleanSupplier mayWrite) {
    this.adaptiveConcurrencyLimiter = adaptiveConcurrencyLimiter;
    this.mayWrite = mayWrite;
    this.timeBudget = connection.timeBudget();
    this.credentials = connection.credentials();
    this.timeouts = new CallTimeouts(connection);
  }

  /// Reads a response while it arrives. It starts over with each response, because the previous one
  /// may have broken off.
  interface ResponseReader<T> {
    T read(Response response, Attempts attempts) throws IOException;
  }

  /// Sends a request and reads its response.
  ///
  /// @throws ClusterUnavailable if there is no response, or only half of one
  <T> T exchange(Request request, ResponseReader<T> reader) {
    var asked = timeBudget.nanoTime();
    try {
      adaptiveConcurrencyLimiter.acquire();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unreachable(request, interrupted(e));
    }
    var answered = false;
    try {
      for (int attempt = 1; ; attempt++) {
        try (var sent = send(request, asked)) {
          var response = sent.response();
          var overwhelmed = webhookRanOutOfTime(response);
          if (overwhelmed) {
            adaptiveConcurrencyLimiter.halveLimit();
          }
          answered = !overwhelmed && CallRetries.busyFor(response).isEmpty();
          return reader.read(response, sent.attempts());
        } catch (IOException e) {
          var wait = CallRetries.after(request, e, attempt);
          if (wait.isEmpty() || !pause(wait.get())) {
            throw e;
          }
        }
      }
    } catch (IOException e) {
      throw unreachable(request, e);
    } finally {
      adaptiveConcurrencyLimiter.release(answered);
    }
  }

  private record Sent(Response response, Attempts attempts) implements AutoCloseable {
    @Override
    public void close() {
      response.close();
    }
  }

  private Sent send(Request request, long asked) throws IOException {
    credentials.await(timeBudget);
    if (timeouts.isTooLate(request, asked, Duration.ZERO)) {
      throw new Unreachable.Explained("the API server is overloaded; the request was not sent");
    }
    if (!reads(request) && !mayWrite.getAsBoolean()) {
      throw new Unreachable.NotSent("the Lease was lost; ");
    }
    for (int attempt = 1; ; attempt++) {
      var response = timeouts.call(request).execute();
      var wait = CallRetries.after(request, response, attempt);
      if (wait.isEmpty() || timeouts.isTooLate(request, asked, wait.get())) {
        return sent(response, attempt, asked);
      }
      adaptiveConcurrencyLimiter.halveLimit();
      // The wait may have taken longer than intended.
      if (!pause(wait.get())
          || timeouts.isTooLate(request, asked, Duration.ZERO)
          || (!reads(request) && !mayWrite.getAsBoolean())) {
        return sent(response, attempt, asked);
      }
      response.close();
    }
  }

  private Sent sent(Response response, int attempts, long asked) {
    var within = Duration.ofNanos(timeBudget.nanoTime() - asked);
    return new Sent(response, new Attempts(attempts, within));
  }

  static boolean reads(Request request) {
    return request.method().equals("GET");
  }

  /// Returns whether a webhook exceeded its timeout for a write. Kyverno checks its own permissions
  /// for each policy, at a limited rate: with fewer policies at a time, each gets its turn.
  private static boolean webhookRanOutOfTime(Response response) throws IOException {
    return response.code() == 500
        && !reads(response.request())
        && ApiErrorClassifier.webhookRanOutOfTime(response.peekBody(LONGEST_SAYING).string());
  }

  private boolean pause(Duration wait) throws IOException {
    try {
      return timeBudget.pause(wait);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw interrupted(e);
    }
  }

  private static IOException interrupted(InterruptedException e) {
    return new Unreachable.Explained("interrupted while waiting for an overloaded API server", e);
  }

  private ClusterUnavailable unreachable(Request request, IOException cause) {
    // If the run must end, the failure is not the server's fault.
    var why = timeBudget.over().orElseGet(() -> Unreachable.explain(cause));
    return new ClusterUnavailable(
        new Failure(
            cause instanceof Unreachable.NotSent
                ? Failure.Cause.NOT_SENT
                : Failure.Cause.UNREACHABLE,
            request.method()
                + " "
                + request.url().newBuilder().query(null).username("").password("").build()
                + " failed: "
                + why));
  }
}
