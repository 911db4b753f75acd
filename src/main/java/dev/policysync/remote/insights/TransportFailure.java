package dev.policysync.remote.insights;

import dev.policysync.remote.http.CertificateDates;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/// Explains an `IOException` of a call, and what to do about it.
///
/// The exception's message is left out. The exception itself is left out too, unless it comes from
/// the JDK's sockets or TLS: the messages of OkHttp and Okio quote what they could not parse.
final class TransportFailure {
  private static final String NETWORK =
      "; check FAIRWINDS_INSIGHTS_HOST, network policies and the proxy (HTTPS_PROXY, NO_PROXY)";
  private static final String TUNNEL = "Unexpected response code for CONNECT: ";

  private TransportFailure() {}

  static FailedAttempt explain(IOException failure) {
    return switch (failure) {
      case SocketTimeoutException e ->
          FailedAttempt.of(
              "timed out without a connection or data" + NETWORK, RetryDecision.SOON, e);
      case InterruptedIOException _ -> outOfTime();
      case UnknownHostException e ->
          FailedAttempt.of("the host name could not be resolved" + NETWORK, RetryDecision.SOON, e);
      case ConnectException e ->
          FailedAttempt.of("could not connect" + NETWORK, RetryDecision.SOON, e);
      case NoRouteToHostException e ->
          FailedAttempt.of("could not connect" + NETWORK, RetryDecision.SOON, e);
      case SSLException e -> tls(e);
      default -> other(failure.getMessage());
    };
  }

  private static FailedAttempt outOfTime() {
    return Thread.currentThread().isInterrupted()
        ? FailedAttempt.of("interrupted", RetryDecision.NEXT_RUN)
        : FailedAttempt.of("did not complete the response in time", RetryDecision.NEXT_RUN);
  }

  private static FailedAttempt tls(SSLException e) {
    if (e instanceof SSLPeerUnverifiedException) {
      return FailedAttempt.of(
          "the certificate is for another host name; check FAIRWINDS_INSIGHTS_HOST",
          RetryDecision.NEVER,
          e);
    }
    if (hasCertificateCause(e)) {
      return FailedAttempt.of(
          CertificateDates.explain(e)
              .orElse(
                  "the certificate is not trusted; if the API or a proxy uses a private CA, mount"
                      + " the CA's PEM file and set SSL_CERT_FILE to it"),
          RetryDecision.NEVER,
          e);
    }
    return FailedAttempt.of("the TLS connection failed" + NETWORK, RetryDecision.SOON, e);
  }

  private static boolean hasCertificateCause(Throwable failure) {
    for (var cause = failure.getCause(); cause != null; cause = cause.getCause()) {
      if (cause instanceof CertificateException) {
        return true;
      }
    }
    return false;
  }

  private static FailedAttempt other(@Nullable String message) {
    var text = message == null ? "" : message;
    if (text.equals("Failed to authenticate with proxy")) {
      return FailedAttempt.of(
          "the proxy requires authentication or rejected the credentials; set HTTPS_PROXY to"
              + " http://user:password@host:port",
          RetryDecision.NEVER);
    }
    if (text.startsWith(TUNNEL)) {
      var status = Integer.parseInt(text, TUNNEL.length(), text.length(), 10);
      return FailedAttempt.of(
          "the proxy rejected the connection with " + status + "; check HTTPS_PROXY and NO_PROXY",
          HttpErrorClassifier.again(status));
    }
    return FailedAttempt.of(
        "the connection was reset or the response truncated", RetryDecision.SOON);
  }
}
