package dev.policysync.remote.insights;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.base.Secret;
import dev.policysync.remote.http.CertificateDates;
import dev.policysync.remote.http.Connections;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLException;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.Request;
import okhttp3.RequestBody;

/// A Pushgateway, which keeps the metrics that a short-lived process pushes until Prometheus
/// scrapes them (github.com/prometheus/pushgateway, its README on the API; tested with 1.11.1).
///
/// `POST /metrics/job/policy-sync/organization/acme/cluster/prod-1` replaces the metrics in the
/// request in the group of these labels, and leaves the group's other metrics alone. So a failed
/// run keeps the time of the last success.
public final class Pushgateway {
  private static final String JOB = "policy-sync";

  /// The time limit of a push. A gateway responds in milliseconds, and a run that is told to end
  /// must exit within 5 s.
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private final Connections connections;
  private final HttpUrl group;
  private final Optional<Secret> authorization;

  /// @param base such as `https://pushgateway.example.com`, possibly with a path, without user and
  ///   password
  /// @param grouping the labels of the group, in the order of the path
  /// @param authorization the value of the `Authorization` header, if the gateway requires one
  public Pushgateway(
      Connections connections,
      URI base,
      Map<String, String> grouping,
      Optional<Secret> authorization) {
    this.connections = connections;
    this.group = group(base, grouping);
    this.authorization = authorization;
  }

  /// Sends metrics once, without a retry.
  ///
  /// @param time the time limit
  /// @return the reason if the push failed
  public Optional<String> push(String metrics, String contentType, Duration time) {
    var limit = time.compareTo(PATIENCE) < 0 ? time : PATIENCE;
    var answer = new AtomicReference<Optional<String>>(reason(late(limit)));
    if (limit.isZero()) {
      return answer.get();
    }
    var body = RequestBody.create(metrics.getBytes(UTF_8), MediaType.get(contentType));
    // A DNS lookup cannot be cancelled, only abandoned.
    var call = Thread.ofVirtual().start(() -> answer.set(send(body, limit)));
    try {
      if (!call.join(limit)) {
        connections.cancel();
      }
    } catch (InterruptedException _) {
      connections.cancel();
      Thread.currentThread().interrupt();
    }
    return answer.get();
  }

  private Optional<String> send(RequestBody body, Duration limit) {
    var request = new Request.Builder().url(group).post(body);
    authorization.ifPresent(secret -> request.header("Authorization", secret.reveal()));
    var call = connections.client().newCall(request.build());
    call.timeout().timeout(limit.toNanos(), java.util.concurrent.TimeUnit.NANOSECONDS);
    try (var response = call.execute()) {
      return response.isSuccessful() ? Optional.empty() : reason("returned " + response.code());
    } catch (IOException e) {
      return reason(
          switch (e) {
            case UnknownHostException _ -> "the host name was not found";
            case ConnectException _ -> "could not connect";
            case SSLException tls ->
                CertificateDates.explain(tls)
                    .orElse("TLS failed; check the certificate and SSL_CERT_FILE");
            case InterruptedIOException _ -> late(limit);
            default -> "the connection was interrupted";
          });
    }
  }

  private static String late(Duration limit) {
    return "no response within " + limit.toMillis() + " ms";
  }

  private Optional<String> reason(String what) {
    return Optional.of("POST " + group + ": " + what);
  }

  private static HttpUrl group(URI base, Map<String, String> grouping) {
    var url = HttpUrl.get(base.toString()).newBuilder();
    if (base.getRawPath() != null && base.getRawPath().endsWith("/")) {
      url.removePathSegment(url.build().pathSize() - 1);
    }
    url.addPathSegments("metrics/job").addPathSegment(JOB);
    grouping.forEach((label, value) -> {
      // A value that cannot be a path segment is sent as base64, as the Pushgateway's API defines
      // it.
      if (value.contains("/") || value.isEmpty() || value.equals(".") || value.equals("..")) {
        url.addPathSegment(label + "@base64").addPathSegment(base64(value));
      } else {
        url.addPathSegment(label).addPathSegment(value);
      }
    });
    return url.build();
  }

  /// Encodes a label value; the API defines a single `=` for an empty value.
  private static String base64(String value) {
    return value.isEmpty() ? "=" : Base64.getUrlEncoder().encodeToString(value.getBytes(UTF_8));
  }
}
