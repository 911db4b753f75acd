package dev.policysync.remote.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/// A forward proxy that knows `CONNECT` only and leads every tunnel to one port of this machine,
/// whatever host was asked for.
public final class TunnelProxy implements AutoCloseable {
  private final ServerSocket server;
  private final int target;
  private final Optional<String> wanted;
  private final List<String> requests = new CopyOnWriteArrayList<>();

  private TunnelProxy(int target, Optional<String> wanted) throws IOException {
    this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    this.target = target;
    this.wanted = wanted;
    Thread.ofPlatform().daemon().name("tunnel-proxy").start(this::serve);
  }

  public static TunnelProxy to(int port) throws IOException {
    return new TunnelProxy(port, Optional.empty());
  }

  /// A proxy that asks for a user.
  ///
  /// @param authorization the only `Proxy-Authorization` it accepts
  public static TunnelProxy to(int port, String authorization) throws IOException {
    return new TunnelProxy(port, Optional.of(authorization));
  }

  public int port() {
    return server.getLocalPort();
  }

  /// The heads of the requests so far.
  public List<String> requests() {
    return requests;
  }

  private void serve() {
    while (!server.isClosed()) {
      try {
        var client = server.accept();
        Thread.ofPlatform().daemon().name("tunnel").start(() -> tunnel(client));
      } catch (IOException _) {
        return;
      }
    }
  }

  private void tunnel(Socket client) {
    try (client) {
      var head = RawServer.head(client);
      requests.add(head);
      if (wanted.isPresent() && !head.contains("Proxy-Authorization: " + wanted.get() + "\r\n")) {
        write(
            client,
            "HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=x\r\nContent-Length: 0\r\n\r\n");
        return;
      }
      try (var onward = new Socket(InetAddress.getLoopbackAddress(), target)) {
        write(client, "HTTP/1.1 200 Go\r\n\r\n");
        var back = Thread.ofPlatform().daemon().start(() -> copy(onward, client));
        copy(client, onward);
        back.join();
      }
    } catch (IOException _) {
      // One of the two hung up.
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private static void write(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    socket.getOutputStream().flush();
  }

  private static void copy(Socket from, Socket to) {
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      in.transferTo(out);
      to.shutdownOutput();
    } catch (IOException _) {
      // One of the two hung up.
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
