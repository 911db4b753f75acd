package dev.policysync.remote.insights;

import dev.policysync.inspect.ApiDiagnostics;
import dev.policysync.remote.http.Connections;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import okhttp3.Handshake;
import okhttp3.HttpUrl;
import okhttp3.Response;

/// Requests the feed and disconnects as soon as it is clear that there is one. No other API call is
/// known to accept a cluster's token, and a feed may have megabytes.
public final class InsightsProbe implements ApiDiagnostics {
  /// The time limit: a feed that takes longer would be too late for a run's first attempt.
  private static final Duration LIMIT = Duration.ofSeconds(15);

  /// Enough bytes to tell a web page from YAML.
  private static final long FIRST_BYTES = 64;

  private final Connections connections;
  private final InsightsCalls calls;
  private final HttpUrl url;
  private final Clock clock;

  /// @param connections connections for this probe alone, which it closes
  public InsightsProbe(
      Connections connections, InsightsConnection api, String version, Clock clock) {
    this.connections = connections;
    this.calls = new InsightsCalls(connections, api, version);
    this.url = InsightsFeed.url(api);
    this.clock = clock;
  }

  @Override
  public Probe probe() {
    try {
      return calls.feed(url, Optional::empty, () -> LIMIT, this::answered);
    } catch (FailedAttempt failure) {
      return new Probe.Unanswered("GET " + url + ": " + failure.getMessage());
    }
  }

  private Probe answered(Response response) throws IOException {
    var now = clock.instant();
    // The header has whole seconds, so half a second is missing on average.
    var ahead =
        Optional.ofNullable(response.headers().getInstant("Date"))
            .map(theirs -> Duration.between(theirs.plusMillis(500), now));
    return new Probe.Answered(
        url.toString(),
        Optional.ofNullable(response.handshake()).flatMap(InsightsProbe::certificate),
        ahead,
        refusal(response, now).map(reason -> "GET " + url + ": " + reason));
  }

  private Optional<String> refusal(Response response, Instant now) throws IOException {
    try {
      InsightsFeed.requireFeed(response, now);
      var page = response.peekBody(FIRST_BYTES).string().stripLeading().startsWith("<");
      // Without this, closing the response would read more of the body to keep the connection.
      connections.cancel();
      return page
          ? Optional.of(
              "returned 200 with a web page; check FAIRWINDS_INSIGHTS_HOST and HTTPS_PROXY")
          : Optional.empty();
    } catch (FailedAttempt failure) {
      return Optional.of(failure.getMessage());
    }
  }

  private static Optional<Certificate> certificate(Handshake handshake) {
    return handshake.peerCertificates().stream()
        .findFirst()
        .filter(X509Certificate.class::isInstance)
        .map(X509Certificate.class::cast)
        .map(own ->
            new Certificate(
                handshake.tlsVersion().javaName(),
                own.getSubjectX500Principal().getName(),
                own.getNotAfter().toInstant()));
  }
}
