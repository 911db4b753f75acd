package dev.policysync.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// Passes bytes between the agent and a server as they are, until at some moment it drops every
/// flow that there is, as a NAT or a load balancer may: nothing passes any more in either
/// direction, and nobody is told. Connections that are made afterwards work.
final class BlackHole implements AutoCloseable {
  private static final int BLOCK = 512;

  private final ServerSocket server = new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1"));
  private final CountDownLatch closed = new CountDownLatch(1);
  private final AtomicInteger dropped = new AtomicInteger();
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicLong up = new AtomicLong(Long.MAX_VALUE);
  private final AtomicLong down = new AtomicLong(Long.MAX_VALUE);
  private final int target;

  /// @param target the port of the server
  BlackHole(int target) throws IOException {
    this.target = target;
    Thread.ofPlatform().daemon().name("black-hole").start(this::serve);
  }

  int port() {
    return server.getLocalPort();
  }

  /// Drops all flows once, when that many bytes more have gone to the server.
  void dropsAfterSending(long bytes) {
    up.set(bytes);
  }

  /// Drops all flows once, when that many bytes more have come from the server.
  void dropsAfterReceiving(long bytes) {
    down.set(bytes);
  }

  /// How often it has dropped all flows.
  int dropped() {
    return dropped.get();
  }

  /// How many connections were made.
  int connections() {
    return connections.get();
  }

  private void serve() {
    while (!server.isClosed()) {
      try {
        var agent = server.accept();
        connections.incrementAndGet();
        var made = dropped.get();
        Thread.ofPlatform().daemon().name("black-hole-flow").start(() -> pass(agent, made));
      } catch (IOException _) {
        return; // closed
      }
    }
  }

  private void pass(Socket agent, int made) {
    try (agent;
        var onward = new Socket(InetAddress.ofLiteral("127.0.0.1"), target)) {
      agent.setTcpNoDelay(true);
      onward.setTcpNoDelay(true);
      var sending = Thread.ofPlatform().daemon().start(() -> copy(agent, onward, made, up));
      copy(onward, agent, made, down);
      sending.join();
    } catch (IOException _) {
      // One of the two hung up.
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /// @param made when its connection was made, in droppings
  /// @param left how many bytes may pass before all flows are dropped
  private void copy(Socket from, Socket to, int made, AtomicLong left) {
    try {
      var block = new byte[BLOCK];
      while (true) {
        var read = from.getInputStream().read(block);
        if (dropped.get() > made) {
          closed.await();
          return;
        }
        if (read < 0) {
          to.shutdownOutput();
          return;
        }
        to.getOutputStream().write(block, 0, read);
        if (left.get() < Long.MAX_VALUE && left.addAndGet(-read) <= 0) {
          left.set(Long.MAX_VALUE);
          dropped.incrementAndGet();
        }
      }
    } catch (IOException _) {
      // One of the two hung up.
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closed.countDown();
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException("the proxy cannot be closed", e);
    }
  }
}
