package dev.policysync.remote.cluster;

import com.fasterxml.jackson.core.JacksonException;
import dev.policysync.remote.http.CertificateDates;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.Serial;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import okhttp3.internal.http2.ConnectionShutdownException;
import okhttp3.internal.http2.ErrorCode;
import okhttp3.internal.http2.StreamResetException;

/// Explains in one line why there is no usable response of the API server. The messages of OkHttp,
/// TLS and Jackson have several lines and quote text that they could not read.
final class Unreachable {
  private static final String DOWN = "; check that the API server is running and reachable";

  private Unreachable() {}

  public static sealed class Explained extends IOException permits NotSent {
    @Serial private static final long serialVersionUID = 1L;

    public Explained(String message) {
      super(message);
    }

    public Explained(String message, Exception cause) {
      super(message, cause);
    }
  }

  /// A request that was not sent, because the run must end or may no longer write.
  public static final class NotSent extends Explained {
    @Serial private static final long serialVersionUID = 1L;

    public NotSent(String why) {
      super(why + "the request was not sent");
    }
  }

  /// Explains what happened and what to do: `could not connect; check that the API server is
  /// running and reachable`.
  public static String explain(IOException failure) {
    return switch (failure) {
      case Explained explained -> String.valueOf(explained.getMessage());
      case ProxyFailure proxy -> proxy.explain();
      case JacksonException _ -> "the response is truncated or not JSON" + DOWN;
      case UnknownHostException _ -> "the host name could not be resolved" + DOWN;
      case ConnectException _, NoRouteToHostException _ -> "could not connect" + DOWN;
      case InterruptedIOException _ -> "no response in time" + DOWN;
      case SSLPeerUnverifiedException _ ->
          "the certificate is for another host name; check the server's address and"
              + " tls-server-name";
      case SSLException tls when becauseOfItsCertificate(tls) ->
          CertificateDates.explain(tls)
              .orElse(
                  "the certificate is not signed by the configured CA; check"
                      + " certificate-authority");
      case SSLException _ -> "the TLS connection failed" + DOWN;
      default -> "the connection was interrupted" + DOWN;
    };
  }

  /// Returns whether the same request may succeed in a moment: the server was not reachable, or the
  /// connection broke. False if the time is over, or if the cause is on our side.
  public static boolean mayPass(IOException failure) {
    return switch (failure) {
      case ProxyFailure proxy -> mayPass(proxy.failure());
      case Explained _, JacksonException _, SSLPeerUnverifiedException _ -> false;
      case SocketTimeoutException _ -> true; // connect timeout; the next case is the call's limit
      case InterruptedIOException _ -> false;
      case SSLException tls -> !becauseOfItsCertificate(tls);
      default -> true;
    };
  }

  /// Returns whether the server certainly did not process the request: an API server that shuts
  /// down accepts nothing new on a connection and says so (RFC 9113, section 8.7).
  public static boolean unsent(IOException failure) {
    return (failure instanceof ProxyFailure proxy && unsent(proxy.failure()))
        || failure instanceof ConnectionShutdownException
        || (failure instanceof StreamResetException reset
            && reset.errorCode == ErrorCode.REFUSED_STREAM);
  }

  private static boolean becauseOfItsCertificate(Throwable failure) {
    for (var cause = failure.getCause(); cause != null; cause = cause.getCause()) {
      if (cause instanceof CertificateException) {
        return true;
      }
    }
    return false;
  }
}
