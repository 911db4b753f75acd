package dev.policysync.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;

/// Passes bytes between the agent and an API server, TLS and HTTP/2 as they are, and breaks
/// connections in the middle of whatever they carry.
final class CutProxy implements AutoCloseable {
  private static final int BLOCK = 512;

  private final ServerSocket server = new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1"));
  private final AtomicInteger connections = new AtomicInteger();
  private final int target;
  private volatile Breaks breaks = new Breaks(0, 0);

  /// @param target the port of the API server
  CutProxy(int target) throws IOException {
    this.target = target;
    Thread.ofPlatform().daemon().name("cut-proxy").start(this::serve);
  }

  /// Which connections break: of a hundred so many, each after up to 100 KB of answers.
  record Breaks(long seed, int percent) {
    int bytesOf(int connection) {
      var random = new SplittableRandom(seed * 31 + connection);
      random.nextInt(); // the first draws of neighbouring seeds are alike
      return random.nextInt(100) < percent ? 1 + random.nextInt(100_000) : Integer.MAX_VALUE;
    }
  }

  int port() {
    return server.getLocalPort();
  }

  void becomes(Breaks other) {
    connections.set(0);
    breaks = other;
  }

  private void serve() {
    while (!server.isClosed()) {
      try {
        var agent = server.accept();
        var bytes = breaks.bytesOf(connections.getAndIncrement());
        Thread.ofPlatform().daemon().name("cut-proxy-connection").start(() -> pass(agent, bytes));
      } catch (IOException _) {
        return; // closed
      }
    }
  }

  private void pass(Socket agent, int bytes) {
    try (agent;
        var onward = new Socket(InetAddress.ofLiteral("127.0.0.1"), target)) {
      agent.setTcpNoDelay(true);
      onward.setTcpNoDelay(true);
      Thread.ofPlatform().daemon().start(() -> copy(agent, onward, Integer.MAX_VALUE));
      copy(onward, agent, bytes);
      agent.setSoLinger(true, 0);
    } catch (IOException _) {
      // One of the two hung up.
    }
  }

  private static void copy(Socket from, Socket to, int most) {
    try {
      var block = new byte[BLOCK];
      for (var left = most; left > 0; ) {
        var read = from.getInputStream().read(block, 0, Math.min(left, BLOCK));
        if (read < 0) {
          to.shutdownOutput();
          return;
        }
        to.getOutputStream().write(block, 0, read);
        left -= most == Integer.MAX_VALUE ? 0 : read;
      }
    } catch (IOException _) {
      // One of the two hung up.
    }
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException("the proxy cannot be closed", e);
    }
  }
}
