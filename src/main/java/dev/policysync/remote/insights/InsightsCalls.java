package dev.policysync.remote.insights;

import dev.policysync.base.Secret;
import dev.policysync.remote.http.Connections;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/// Makes single calls to the API, each of them once. Only [InsightsRetries] repeats calls.
final class InsightsCalls {
  private static final String JSON = "application/json";
  private static final int REDIRECTS = 5;

  private final Connections connections;
  private final InsightsConnection api;
  private final String userAgent;
  private final @Nullable Duration readTimeout;
  private @Nullable OkHttpClient client;

  InsightsCalls(Connections connections, InsightsConnection api, String version) {
    this(connections, api, version, null);
  }

  /// @param silence the read timeout, if longer than usual
  InsightsCalls(
      Connections connections, InsightsConnection api, String version, @Nullable Duration silence) {
    this.connections = connections;
    this.readTimeout = silence;
    this.api = api;
    this.userAgent = "policy-sync/" + version;
  }

  Secret token() {
    return api.token();
  }

  /// Returns a request with the headers that every call has. A GET has a `Content-Type` too,
  /// because the agents in use send it.
  Request.Builder request(HttpUrl url) {
    return new Request.Builder()
        .url(url)
        .header("Authorization", "Bearer " + api.token().reveal())
        .header("Content-Type", JSON)
        .header("User-Agent", userAgent);
  }

  /// Sends a request. The timeout includes reading the response body; to OkHttp, zero means none.
  Response execute(Request request, Duration timeout) throws IOException {
    var call = client().newCall(request);
    call.timeout().timeout(Math.max(1, timeout.toNanos()), TimeUnit.NANOSECONDS);
    return call.execute();
  }

  interface ResponseReader<T> {
    T read(Response response) throws IOException, FailedAttempt;
  }

  /// Reads the feed at this URL, following redirects.
  ///
  /// @param entityTag the entity tag of the known feed, looked up once there is a connection; it
  ///   does not apply to the target of a redirect
  /// @param timeout the timeout of each call
  <T> T feed(
      HttpUrl url,
      Supplier<Optional<String>> entityTag,
      Supplier<Duration> timeout,
      ResponseReader<T> reader)
      throws FailedAttempt {
    try {
      var next = url;
      for (var redirects = 0; redirects <= REDIRECTS; redirects++) {
        var request = request(next).header("Accept", "application/yaml, */*;q=0.5");
        if (redirects == 0) {
          request.tag(IfNoneMatch.class, new IfNoneMatch(entityTag));
        }
        try (var response = execute(request.build(), timeout.get())) {
          var target = Redirect.target(response, token());
          if (target == null) {
            return reader.read(response);
          }
          next = target;
        }
      }
      throw FailedAttempt.of(
          "was redirected more than " + REDIRECTS + " times; check FAIRWINDS_INSIGHTS_HOST",
          RetryDecision.NEVER);
    } catch (IOException failure) {
      throw explain(failure);
    }
  }

  /// Explains an exception that [#execute] or reading the body threw.
  FailedAttempt explain(IOException failure) {
    return connections.cancelled()
        ? FailedAttempt.of("stopped", RetryDecision.NEXT_RUN)
        : TransportFailure.explain(failure);
  }

  private synchronized OkHttpClient client() {
    if (client == null) {
      var builder =
          connections
              .client()
              .newBuilder()
              .retryOnConnectionFailure(false)
              .addNetworkInterceptor(InsightsCalls::withoutZeroWait)
              .addNetworkInterceptor(IfNoneMatch::sent);
      if (readTimeout != null) {
        builder.readTimeout(readTimeout);
      }
      client = builder.build();
    }
    return client;
  }

  /// Removes `Retry-After: 0` from a 503, because OkHttp would repeat such a request by itself.
  private static Response withoutZeroWait(Interceptor.Chain chain) throws IOException {
    var response = chain.proceed(chain.request());
    return response.code() == 503 && "0".equals(response.header("Retry-After"))
        ? response.newBuilder().removeHeader("Retry-After").build()
        : response;
  }
}
