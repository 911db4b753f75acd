package dev.policysync.remote.http;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/// A proxy of SOCKS 5 (RFC 1928, RFC 1929) that leads every connection to one port of this machine,
/// whatever host was asked for.
public final class SocksProxy implements AutoCloseable {
  private static final int NO_LOGIN = 0;
  private static final int LOGIN = 2;
  private static final int NAME = 3;

  private final ServerSocket server;
  private final int target;
  private final Optional<String> wanted;
  private final List<String> hosts = new CopyOnWriteArrayList<>();

  private SocksProxy(int target, Optional<String> wanted) throws IOException {
    this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    this.target = target;
    this.wanted = wanted;
    Thread.ofPlatform().daemon().name("socks-proxy").start(this::serve);
  }

  public static SocksProxy to(int port) throws IOException {
    return new SocksProxy(port, Optional.empty());
  }

  /// A proxy that asks for a user.
  ///
  /// @param login the only one that it accepts: `user:password`
  public static SocksProxy to(int port, String login) throws IOException {
    return new SocksProxy(port, Optional.of(login));
  }

  public int port() {
    return server.getLocalPort();
  }

  /// The names of the hosts that were asked for so far; `address` where one was none.
  public List<String> hosts() {
    return hosts;
  }

  private void serve() {
    while (!server.isClosed()) {
      try {
        var client = server.accept();
        Thread.ofPlatform().daemon().name("socks").start(() -> tunnel(client));
      } catch (IOException _) {
        return;
      }
    }
  }

  private void tunnel(Socket client) {
    try (client) {
      var in = new DataInputStream(client.getInputStream());
      in.readByte();
      in.readNBytes(in.readUnsignedByte());
      client
          .getOutputStream()
          .write(new byte[] {5, (byte) (wanted.isPresent() ? LOGIN : NO_LOGIN)});
      if (wanted.isPresent() && !loggedIn(in, client)) {
        return;
      }
      in.readNBytes(3);
      var type = in.readUnsignedByte();
      hosts.add(type == NAME ? text(in) : "address");
      in.readNBytes(type == NAME ? 2 : 6);
      try (var onward = new Socket(InetAddress.getLoopbackAddress(), target)) {
        client.getOutputStream().write(new byte[] {5, 0, 0, 1, 127, 0, 0, 1, 0, 0});
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

  private boolean loggedIn(DataInputStream in, Socket client) throws IOException {
    in.readByte();
    var right = (text(in) + ":" + text(in)).equals(wanted.orElseThrow());
    client.getOutputStream().write(new byte[] {1, (byte) (right ? 0 : 1)});
    return right;
  }

  private static String text(DataInputStream in) throws IOException {
    return new String(in.readNBytes(in.readUnsignedByte()), StandardCharsets.UTF_8);
  }

  private static void copy(Socket from, Socket to) {
    try {
      InputStream in = from.getInputStream();
      in.transferTo(to.getOutputStream());
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
