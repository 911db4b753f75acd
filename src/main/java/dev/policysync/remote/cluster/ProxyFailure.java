package dev.policysync.remote.cluster;

import java.io.IOException;
import java.io.Serial;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.UnknownHostException;

/// A failure of a request to the API server through a proxy. The message names the proxy without
/// its password.
final class ProxyFailure extends IOException {
  @Serial private static final long serialVersionUID = 1L;

  private static final String TUNNEL = "Unexpected response code for CONNECT: ";

  private static final String LOGIN = "Failed to authenticate with proxy";

  private final IOException failure;
  private final String proxy;

  /// @param proxy `http://proxy.corp:3128`
  public ProxyFailure(IOException failure, String proxy) {
    super(failure.getMessage(), failure);
    this.failure = failure;
    this.proxy = proxy;
  }

  IOException failure() {
    return failure;
  }

  String explain() {
    var said = String.valueOf(failure.getMessage());
    var which = "the proxy " + proxy;
    return switch (failure) {
      case Unreachable.Explained _ -> said;
      case ConnectException _, NoRouteToHostException _ -> notConnected(which);
      case UnknownHostException _ ->
          "the host name of " + which + " could not be resolved; check proxy-url";
      // Java's SOCKS client reports all failures with the same exception type, so the message is
      // compared.
      case SocketException _ when said.startsWith("Connection refused") -> notConnected(which);
      case SocketException _ when said.contains("authentication failed") -> notLoggedIn(which);
      case SocketException _ when said.startsWith("SOCKS") ->
          which + " could not connect to the API server; check the server and proxy-url";
      default -> {
        if (said.equals(LOGIN)) {
          yield notLoggedIn(which);
        }
        if (said.startsWith(TUNNEL)) {
          yield which
              + " refused to connect to the API server with HTTP "
              + said.substring(TUNNEL.length())
              + "; check proxy-url and what the proxy allows";
        }
        yield Unreachable.explain(failure) + "; the connection goes through " + which;
      }
    };
  }

  private static String notConnected(String which) {
    return "could not connect to "
        + which
        + "; check proxy-url and that the proxy is running and reachable";
  }

  private static String notLoggedIn(String which) {
    return which
        + " requires a user and password, or rejected them; check proxy-url"
        + " (http://user:password@host:port)";
  }
}
