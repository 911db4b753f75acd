package dev.policysync.cluster.request;

import dev.policysync.cluster.connection.ClusterConnection;
import dev.policysync.cluster.error.Unreachable;
import dev.policysync.plan.live.Failure;
import dev.policysync.sync.execution.ClusterUnavailable;
import dev.policysync.sync.execution.TimeBudget;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import okhttp3.Call;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

/// Calls of the API server: how long each may take, and what is sent again. Every number of it is
/// here. Sent again is
///
/// - whatever a busy server asks to repeat (429, or 503 with Retry-After), since nothing was done;
/// - a read that failed for reasons that often pass: no connection, half an answer, a 5xx such as
///   `etcdserver: leader changed`;
/// - a write only if it certainly did not arrive, or is a dry run. Of any other write without an
///   answer nobody knows whether it was done: it fails as one that may pass, and whoever asked for
///   it looks before he writes again.
///
/// [AdaptiveConcurrencyLimiter] spares a busy server, and a webhook that cannot keep up. There is
/// no circuit breaker: a run begins with a read that fails it where the server is gone, and ends
/// early where webhooks are; and none of the resilience4j that the remote API's adapter uses,
/// because a run without changes would have to load it.
final class KubeCalls {
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

  /// How long after it was asked for a write may still be sent: whoever asks has looked at the
  /// Lease before, and allows a write 12 s to arrive.
  private static final Duration PATIENCE_OF_A_WRITE = Duration.ofSeconds(10);

  /// How long an answer may take to be complete. A page of a list is there within seconds, and a
  /// server that needs half a minute for it will not get better by waiting.
  private static final Duration READ = Duration.ofSeconds(30);

  /// How long nothing may come of a read, if not over HTTP/2, where a ping finds a dead connection
  /// sooner. A busy server lets a request wait for its turn for a quarter of a minute, and then
  /// refuses it.
  private static final Duration SILENCE_OF_A_READ = Duration.ofSeconds(16);

  /// A webhook may keep a write waiting for 30 s, the most that its timeoutSeconds can say; the API
  /// server then tells which one it was.
  private static final Duration WRITE = Duration.ofSeconds(35);

  /// How long a write under way is waited for once the run is told to end.
  private static final Duration WRITE_AT_THE_END = Duration.ofSeconds(2);

  /// In bytes: a failure's message has said by then what it is about.
  private static final long LONGEST_SAYING = 4096;

  private final OkHttpClient reading;
  private final OkHttpClient writing;
  private final TimeBudget timeBudget;
  private final AdaptiveConcurrencyLimiter adaptiveConcurrencyLimiter;
  private final BooleanSupplier mayWrite;

  /// @param mayWrite whether a write may be sent at this moment
  KubeCalls(ClusterConnection connection, BooleanSupplier mayWrite) {
    this(connection, new AdaptiveConcurrencyLimiter(), mayWrite);
  }

  KubeCalls(ClusterConnection connection, AdaptiveConcurrencyLimiter adaptiveConcurrencyLimiter) {
    this(connection, adaptiveConcurrencyLimiter, () -> true);
  }

  private KubeCalls(
      ClusterConnection connection,
      AdaptiveConcurrencyLimiter adaptiveConcurrencyLimiter,
      BooleanSupplier mayWrite) {
    this.adaptiveConcurrencyLimiter = adaptiveConcurrencyLimiter;
    this.mayWrite = mayWrite;
    this.timeBudget = connection.timeBudget();
    // By itself OkHttp repeats also what may have been done, where a kept connection breaks.
    this.reading =
        connection
            .http()
            .newBuilder()
            .readTimeout(SILENCE_OF_A_READ)
            .retryOnConnectionFailure(false)
            .build();
    // A webhook's silence alone is no reason to give up a write: its limit is one as a whole.
    this.writing = reading.newBuilder().readTimeout(Duration.ZERO).build();
  }

  /// Makes something of an answer while it arrives; it begins anew with each answer, as the one
  /// before may have broken off.
  interface ResponseReader<T> {
    T read(Response response) throws IOException;
  }

  /// What came of a request.
  ///
  /// @throws ClusterUnavailable if no answer could be had, or only half of one
  <T> T exchange(Request request, ResponseReader<T> reader) {
    var asked = timeBudget.nanoTime();
    try {
      adaptiveConcurrencyLimiter.enter();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unreachable(request, interrupted(e));
    }
    var answered = false;
    try {
      for (int attempt = 1; ; attempt++) {
        try (var response = send(request, asked)) {
          var overwhelmed = webhookRanOutOfTime(response);
          if (overwhelmed) {
            adaptiveConcurrencyLimiter.slower();
          }
          answered = !overwhelmed && busyFor(response).isEmpty();
          return reader.read(response);
        } catch (IOException e) {
          if (!again(request, e, attempt)) {
            throw e;
          }
        }
      }
    } catch (IOException e) {
      throw unreachable(request, e);
    } finally {
      adaptiveConcurrencyLimiter.leave(answered);
    }
  }

  /// Whether to ask once more after no answer or half of one, when some time has passed.
  private boolean again(Request request, IOException failure, int attempt) throws IOException {
    var harmless =
        (reads(request) || dryRun(request))
            ? Unreachable.mayPass(failure)
            : Unreachable.unsent(failure);
    var wait = waitBefore(attempt + 1);
    return harmless && wait.isPresent() && pause(wait.get());
  }

  private static Optional<Duration> waitBefore(int attempt) {
    return attempt - 2 < READ_AGAIN_AFTER.size()
        ? Optional.of(READ_AGAIN_AFTER.get(attempt - 2))
        : Optional.empty();
  }

  private Response send(Request request, long asked) throws IOException {
    if (late(request, asked, Duration.ZERO)) {
      throw new Unreachable.Explained("the API server is too busy; it was not sent");
    }
    if (!reads(request) && !mayWrite.getAsBoolean()) {
      throw new Unreachable.NotSent("the Lease was lost; ");
    }
    for (int attempt = 1; ; attempt++) {
      var response = limited(request).execute();
      var wait = waitAfter(request, response, attempt);
      if (wait.isEmpty() || late(request, asked, wait.get())) {
        return response;
      }
      adaptiveConcurrencyLimiter.slower();
      // It may have taken longer than it was meant to.
      if (!pause(wait.get())
          || late(request, asked, Duration.ZERO)
          || (!reads(request) && !mayWrite.getAsBoolean())) {
        return response;
      }
      response.close();
    }
  }

  private Call limited(Request request) throws IOException {
    var reading = reads(request);
    var allowance = timeBudget.allowance(reading ? Duration.ZERO : WRITE_AT_THE_END);
    if (!allowance.isPositive()) {
      throw new Unreachable.NotSent("");
    }
    var call = (reading ? this.reading : writing).newCall(request);
    var limit = reading ? READ : WRITE;
    call.timeout().timeout(TimeBudget.shorter(allowance, limit).toNanos(), TimeUnit.NANOSECONDS);
    return call;
  }

  /// How long to wait before the same is asked once more; empty where the answer counts.
  private static Optional<Duration> waitAfter(Request request, Response response, int attempt) {
    var busy = busyFor(response);
    if (busy.isPresent()) {
      return attempt < ATTEMPTS ? busy : Optional.empty();
    }
    return reads(request) && PASSING.contains(response.code())
        ? waitBefore(attempt + 1)
        : Optional.empty();
  }

  private static boolean reads(Request request) {
    return request.method().equals("GET");
  }

  private static boolean dryRun(Request request) {
    return request.url().queryParameter("dryRun") != null;
  }

  /// Whether a write that is sent after that wait would come too late; to read is never too late.
  private boolean late(Request request, long asked, Duration wait) {
    var age = Duration.ofNanos(timeBudget.nanoTime() - asked).plus(wait);
    return !reads(request) && age.compareTo(PATIENCE_OF_A_WRITE) > 0;
  }

  /// 429 and 503 with Retry-After are the API server's own way to ask for patience: priority and
  /// fairness, or a watch cache that is still filling. Nothing was done then.
  private static Optional<Duration> busyFor(Response response) {
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

  /// Whether a webhook did not judge a write in its time. Kyverno looks up its own rights for each
  /// policy, and no more than so many a second: with fewer policies at a time each has its turn.
  private static boolean webhookRanOutOfTime(Response response) throws IOException {
    return response.code() == 500
        && !reads(response.request())
        && ApiErrorClassifier.webhookRanOutOfTime(response.peekBody(LONGEST_SAYING).string());
  }

  /// Waits, unless the run is told to stop meanwhile.
  private boolean pause(Duration wait) throws IOException {
    try {
      return timeBudget.pause(wait);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw interrupted(e);
    }
  }

  private static IOException interrupted(InterruptedException e) {
    return new Unreachable.Explained("interrupted while the API server asked for patience", e);
  }

  private ClusterUnavailable unreachable(Request request, IOException cause) {
    // Where the run is to end, it is not the server's fault.
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
