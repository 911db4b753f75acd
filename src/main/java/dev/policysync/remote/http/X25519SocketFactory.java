package dev.policysync.remote.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/// Makes TLS sockets that offer X25519 alone, for as long as no server refuses that.
///
/// By default Java makes a key for X25519 and one for P-256 before it says a word, and the second
/// costs a short run a tenth of its CPU. Most servers take the first. One that knows the curves of
/// NIST only, as in FIPS mode, ends the handshake; from then on sockets offer everything that Java
/// knows.
final class X25519SocketFactory extends SSLSocketFactory {
  private static final String[] X25519 = {"x25519"};

  private final SSLSocketFactory sockets;
  private final Optional<String> serverName;
  private final List<SSLSocket> offered = new ArrayList<>();
  private boolean refused;

  /// @param serverName what servers are asked for (SNI) instead of the host of the URL
  X25519SocketFactory(SSLSocketFactory sockets, Optional<String> serverName) {
    this.sockets = sockets;
    this.serverName = serverName;
  }

  @Override
  public Socket createSocket(Socket socket, String host, int port, boolean autoClose)
      throws IOException {
    return offering(
        (SSLSocket) sockets.createSocket(socket, serverName.orElse(host), port, autoClose));
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return sockets.createSocket(host, port);
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress from, int fromPort)
      throws IOException {
    return sockets.createSocket(host, port, from, fromPort);
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return sockets.createSocket(host, port);
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress from, int fromPort)
      throws IOException {
    return sockets.createSocket(host, port, from, fromPort);
  }

  @Override
  public String[] getDefaultCipherSuites() {
    return sockets.getDefaultCipherSuites();
  }

  @Override
  public String[] getSupportedCipherSuites() {
    return sockets.getSupportedCipherSuites();
  }

  private synchronized SSLSocket offering(SSLSocket socket) {
    refused = refused || offered.stream().anyMatch(X25519SocketFactory::failed);
    offered.removeIf(other -> agreed(other) || other.isClosed());
    if (!refused) {
      var parameters = socket.getSSLParameters();
      parameters.setNamedGroups(X25519);
      socket.setSSLParameters(parameters);
      offered.add(socket);
    }
    return socket;
  }

  /// Whether it ended before there was a key. One that is still about to agree on one did not.
  private static boolean failed(SSLSocket socket) {
    return socket.isClosed() && !agreed(socket);
  }

  /// Known as soon as server and client agreed on a key.
  private static boolean agreed(SSLSocket socket) {
    return socket.getApplicationProtocol() != null;
  }
}
