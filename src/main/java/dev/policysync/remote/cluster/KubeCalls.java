package dev.policysync.remote.cluster;

import dev.policysync.plan.Failure;
import dev.policysync.remote.cluster.ApiResponse.Attempts;
import dev.policysync.remote.http.Retries;
import dev.policysync.sync.execution.ClusterUnavailable;
import dev.policysync.sync.execution.TimeBudget;
import java.io.IOException;
import java.io.Serial;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import okhttp3.Request;
import okhttp3.Response;

/// Makes calls to the API server: with the time limits of [CallTimeouts], the retries of
/// [CallRetries], and no more calls at once than the server can handle.
///
/// [AdaptiveConcurrencyLimiter] protects a busy server, and a webhook that cannot keep up. There is
/// no circuit breaker: a run begins with a read, which fails the run if the server is down, and it
/// ends early if webhooks are down.
final class KubeCalls {
  /// The length in bytes of the part of an error response that shows its cause.
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

  /// Reads a response while it arrives, each from its start, because the previous response may be
  /// truncated.
  interface ResponseReader<T> {
    T read(Response response, Attempts attempts) throws IOException;
  }

  /// A response that shows that the server or a webhook is overloaded or failing.
  static final class Refusal extends IOException {
    @Serial private static final long serialVersionUID = 1L;

    final transient Response response;
    private final transient Attempts attempts;

    private Refusal(Response response, Attempts attempts) {
      this.response = response;
      this.attempts = attempts;
    }
  }

  /// Sends a request and reads its response.
  ///
  /// @throws ClusterUnavailable if there is no response, or it is truncated
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
      var answer =
          Retries.run(
              number -> attempt(request, reader, asked, number),
              IOException.class,
              new CallRetries(request),
              (failure, _, wait) -> pauseOrGiveUp(request, asked, failure, wait));
      answered = true;
      return answer;
    } catch (Refusal refusal) {
      return read(refusal, reader);
    } catch (IOException e) {
      throw unreachable(request, e);
    } finally {
      adaptiveConcurrencyLimiter.release(answered);
    }
  }

  private <T> T attempt(Request request, ResponseReader<T> reader, long asked, int number)
      throws IOException {
    credentials.await(timeBudget);
    if (timeouts.isTooLate(request, asked, Duration.ZERO)) {
      throw new Unreachable.Explained("the API server is overloaded; the request was not sent");
    }
    if (!reads(request) && !mayWrite.getAsBoolean()) {
      throw new Unreachable.NotSent("the Lease was lost; ");
    }
    var response = timeouts.call(request).execute();
    var within = Duration.ofNanos(timeBudget.nanoTime() - asked);
    var attempts = new Attempts(number, within);
    if (CallRetries.mayRepeat(response) || webhookRanOutOfTime(response)) {
      adaptiveConcurrencyLimiter.halveLimit();
      throw new Refusal(response, attempts);
    }
    try (response) {
      return reader.read(response, attempts);
    }
  }

  private <T> T read(Refusal refusal, ResponseReader<T> reader) {
    try (var response = refusal.response) {
      return reader.read(response, refusal.attempts);
    } catch (IOException e) {
      throw unreachable(refusal.response.request(), e);
    }
  }

  private void pauseOrGiveUp(
      Request request, long asked, IOException failure, Optional<Duration> wait)
      throws IOException {
    if (wait.isEmpty() || timeouts.isTooLate(request, asked, wait.get()) || !pause(wait.get())) {
      throw failure;
    }
    if (failure instanceof Refusal refusal) {
      // The wait may have taken longer than intended.
      if (timeouts.isTooLate(request, asked, Duration.ZERO)
          || (!reads(request) && !mayWrite.getAsBoolean())) {
        throw refusal;
      }
      refusal.response.close();
    }
  }

  static boolean reads(Request request) {
    return request.method().equals("GET");
  }

  /// Returns whether a webhook exceeded its timeout for a write. Kyverno checks its own permissions
  /// for each policy, at a limited rate: with fewer policies at a time, each gets its turn.
  private static boolean webhookRanOutOfTime(Response response) throws IOException {
    if (response.code() != 500 || reads(response.request())) {
      return false;
    }
    try {
      return ApiErrorClassifier.webhookRanOutOfTime(response.peekBody(LONGEST_SAYING).string());
    } catch (IOException e) {
      response.close();
      throw e;
    }
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
    // If the run must end, the server did not cause the failure.
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
