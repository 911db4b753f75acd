package dev.policysync.cluster;

import dev.policysync.plan.Failure;
import dev.policysync.sync.ClusterUnavailable;
import dev.policysync.yaml.Json;
import dev.policysync.yaml.Value;
import java.io.IOException;
import java.io.InputStream;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;

/// Requests to the API server: JSON in and out, every answer handed on for the caller to judge.
///
/// What is sent again is decided here and nowhere else:
///
/// - whatever a busy server asks to repeat (429, or 503 with Retry-After), since nothing was done;
/// - a read that failed for reasons that often pass: no connection, half an answer, a 5xx such as
///   `etcdserver: leader changed`;
/// - a write only if it certainly did not arrive. Of any other write without an answer nobody knows
///   whether it was done: it fails as one that may pass, and the next run looks before it writes.
///
/// [Pace] spares a busy server. There is no circuit breaker: a run begins with a read that fails it
/// where the server is gone, and ends early where webhooks are; and none of the resilience4j that
/// the remote API's adapter uses, because a run without changes would have to load it.
final class KubeApi {
  /// Objects by their metadata alone.
  static final String METADATA =
      "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";

  /// Lists of them.
  static final String METADATA_LIST =
      "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

  /// Whole objects.
  static final String JSON = "application/json";

  /// How audit logs tell us from others.
  static final String USER_AGENT = "policy-sync";

  static final MediaType APPLY = MediaType.get("application/apply-patch+yaml");
  static final MediaType JSON_PATCH = MediaType.get("application/json-patch+json");
  static final MediaType JSON_BODY = MediaType.get("application/json");

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

  private final ClusterConnection connection;
  private final OkHttpClient http;
  private final LongSupplier nanoTime;
  private final Pace pace = new Pace();

  KubeApi(ClusterConnection connection) {
    this(connection, System::nanoTime);
  }

  KubeApi(ClusterConnection connection, LongSupplier nanoTime) {
    this.connection = connection;
    // By itself OkHttp repeats also what may have been done, where a kept connection breaks.
    this.http = connection.http().newBuilder().retryOnConnectionFailure(false).build();
    this.nanoTime = nanoTime;
  }

  /// An answer that was read to its end.
  ///
  /// @param date the header of that name: the server's own time of day
  record Answer(int status, Value.Mapping body, List<String> warnings, Optional<String> date) {
    boolean ok() {
      return status >= 200 && status < 300;
    }

    /// The server's own time of day, to the second, where it tells it. Few ask, so it is read when
    /// one does.
    Optional<Instant> time() {
      try {
        return date.map(text -> Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text)));
      } catch (DateTimeException _) {
        return Optional.empty();
      }
    }

    /// The message of a Status object.
    String message() {
      return body.text("message").orElse("");
    }

    /// The reason of a Status object; plain-text answers have none.
    String reason() {
      return body.text("reason").orElse("");
    }
  }

  /// What to do with a body while it arrives.
  interface BodyReader<T> {
    T read(InputStream body) throws IOException;
  }

  /// A URL below the server's base.
  HttpUrl.Builder url(List<String> path) {
    var url = connection.server().newBuilder();
    path.forEach(url::addPathSegment);
    return url;
  }

  /// Reads an object.
  Answer get(HttpUrl url, String accept) {
    return answer(request(url, accept).build());
  }

  /// Reads a body as it arrives; any answer but 200 is handed on as a refusal.
  ///
  /// @param reader begins anew with each body, as the one before may have broken off
  <T> T stream(HttpUrl url, String accept, BodyReader<T> reader) throws Refused {
    var request = request(url, accept).build();
    var answer =
        exchange(
            request,
            response ->
                response.code() == 200
                    ? new Streamed.Body<>(reader.read(response.body().byteStream()))
                    : new Streamed.Refusal<T>(read(response)));
    return switch (answer) {
      case Streamed.Body<T>(var body) -> body;
      case Streamed.Refusal<T>(var refusal) -> throw new Refused(refusal);
    };
  }

  private sealed interface Streamed<T> {
    record Body<T>(T body) implements Streamed<T> {}

    record Refusal<T>(Answer answer) implements Streamed<T> {}
  }

  /// Sends a body.
  Answer send(String method, HttpUrl url, MediaType type, String body, String accept) {
    return answer(request(url, accept).method(method, RequestBody.create(body, type)).build());
  }

  private static Request.Builder request(HttpUrl url, String accept) {
    return new Request.Builder().url(url).header("Accept", accept).header("User-Agent", USER_AGENT);
  }

  private Answer answer(Request request) {
    return exchange(request, KubeApi::read);
  }

  private interface ResponseReader<T> {
    T read(Response response) throws IOException;
  }

  private <T> T exchange(Request request, ResponseReader<T> reader) {
    var asked = nanoTime.getAsLong();
    try {
      pace.enter();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unreachable(request, interrupted(e));
    }
    var answered = false;
    try {
      for (int attempt = 1; ; attempt++) {
        try (var response = send(request, asked)) {
          answered = busyFor(response).isEmpty();
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
      pace.leave(answered);
    }
  }

  /// Whether to ask once more after no answer or half of one, when some time has passed.
  private boolean again(Request request, IOException failure, int attempt) throws IOException {
    var harmless = reads(request) ? Unreachable.mayPass(failure) : Unreachable.unsent(failure);
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
    for (int attempt = 1; ; attempt++) {
      var response = http.newCall(request).execute();
      var wait = waitAfter(request, response, attempt);
      if (wait.isEmpty() || late(request, asked, wait.get())) {
        return response;
      }
      pace.slower();
      // It may have taken longer than it was meant to.
      if (!pause(wait.get()) || late(request, asked, Duration.ZERO)) {
        return response;
      }
      response.close();
    }
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

  /// Whether a write that is sent after that wait would come too late; to read is never too late.
  private boolean late(Request request, long asked, Duration wait) {
    var age = Duration.ofNanos(nanoTime.getAsLong() - asked).plus(wait);
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
      return Optional.of(asked.compareTo(LONGEST_WAIT) < 0 ? asked : LONGEST_WAIT);
    } catch (NumberFormatException e) {
      return Optional.of(Duration.ofSeconds(1));
    }
  }

  /// Waits, unless the run is told to stop meanwhile.
  private boolean pause(Duration wait) throws IOException {
    try {
      return connection.pause().pause(wait);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw interrupted(e);
    }
  }

  private static IOException interrupted(InterruptedException e) {
    return new Unreachable.Explained("interrupted while the API server asked for patience", e);
  }

  private static Answer read(Response response) throws IOException {
    var warnings =
        response.headers("Warning").stream()
            .map(KubeApi::warning)
            .filter(w -> !w.isEmpty())
            .toList();
    var type = response.header("Content-Type");
    var body =
        type != null && type.startsWith("application/json")
            ? Json.object(response.body().byteStream())
            : Value.Mapping.EMPTY;
    return new Answer(
        response.code(), body, warnings, Optional.ofNullable(response.header("Date")));
  }

  /// The text of `299 - "policy is deprecated"`.
  private static String warning(String header) {
    var first = header.indexOf('"');
    var last = header.lastIndexOf('"');
    return header.startsWith("299") && last > first
        ? header.substring(first + 1, last).replace("\\\"", "\"").replace("\\\\", "\\")
        : "";
  }

  private static ClusterUnavailable unreachable(Request request, IOException cause) {
    return new ClusterUnavailable(
        new Failure(
            Failure.Cause.UNREACHABLE,
            request.method()
                + " "
                + request.url().newBuilder().query(null).username("").password("").build()
                + " failed: "
                + Unreachable.explain(cause)));
  }

  /// The API server answered, but not with what was asked for.
  static final class Refused extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Answer answer;

    Refused(Answer answer) {
      super("HTTP status " + answer.status());
      this.answer = answer;
    }

    Answer answer() {
      return answer;
    }
  }
}
