package dev.policysync.cluster;

import com.fasterxml.jackson.core.JacksonException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.Serial;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;

/// Why there is no answer of the API server that can be used, in one line of our own words. The
/// messages of OkHttp, TLS and Jackson run over several lines and quote what they could not read.
final class Unreachable {
  private static final String DOWN = "; is the API server up and reachable from here?";

  private Unreachable() {}

  /// A failure whose message is our own and complete.
  static final class Explained extends IOException {
    @Serial private static final long serialVersionUID = 1L;

    Explained(String message) {
      super(message);
    }

    Explained(String message, Exception cause) {
      super(message, cause);
    }
  }

  /// What happened and what to do: `could not connect; is the API server up …?`
  static String explain(IOException failure) {
    return switch (failure) {
      case Explained explained -> String.valueOf(explained.getMessage());
      case JacksonException _ -> "the answer is no JSON, or ended too soon" + DOWN;
      case UnknownHostException _ -> "the host name could not be resolved" + DOWN;
      case ConnectException _, NoRouteToHostException _ -> "could not connect" + DOWN;
      case InterruptedIOException _ -> "no answer in time" + DOWN;
      case SSLPeerUnverifiedException _ ->
          "its certificate is for another host name; check the server's address and tls-server-name";
      case SSLException tls when becauseOfItsCertificate(tls) ->
          "its certificate is not of the authority that we were given; check certificate-authority";
      case SSLException _ -> "the TLS connection failed" + DOWN;
      default -> "the connection broke" + DOWN;
    };
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
