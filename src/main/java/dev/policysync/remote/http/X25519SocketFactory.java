package dev.policysync.remote.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/// Creates TLS sockets that offer only the group X25519, until a server rejects that.
///
/// By default, Java generates keys for X25519 and P-256 before it sends the first message, and the
/// second key costs a short run a tenth of its CPU. Most servers accept X25519. A server that
/// supports only NIST curves, as in FIPS mode, ends the handshake; from then on, sockets offer all
/// groups that Java supports.
final class X25519SocketFactory extends SSLSocketFactory {
  private static final String[] X25519 = {"x25519"};

  private final SSLSocketFactory sockets;
  private final Optional<String> serverName;
  private final List<SSLSocket> offered = new ArrayList<>();
  private boolean refused;

  /// @param serverName the name in SNI, instead of the host of the URL
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

  /// Returns whether the socket was closed before a key was agreed on. A handshake in progress has
  /// not failed.
  private static boolean failed(SSLSocket socket) {
    return socket.isClosed() && !agreed(socket);
  }

  /// Returns whether a key was agreed on: only then is the application protocol known.
  private static boolean agreed(SSLSocket socket) {
    return socket.getApplicationProtocol() != null;
  }
}
