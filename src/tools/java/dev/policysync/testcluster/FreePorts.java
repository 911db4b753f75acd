package dev.policysync.testcluster;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/// Ports of 127.0.0.1 for servers that cannot choose one themselves.
///
/// They lie below those that systems give to outgoing connections, of which a busy machine has
/// opened some before the server listens.
final class FreePorts {
  private static final int FIRST = 12_000;
  private static final int BEHIND_LAST = 32_000;
  private static final int TRIES = 1_000;

  private FreePorts() {}

  /// Ports that were free a moment ago, all different because all were open at once.
  static List<Integer> take(int count) throws IOException {
    var sockets = new ArrayList<ServerSocket>();
    try {
      while (sockets.size() < count) {
        sockets.add(open());
      }
      return sockets.stream().map(ServerSocket::getLocalPort).toList();
    } finally {
      for (var socket : sockets) {
        socket.close();
      }
    }
  }

  /// Any of many, so that two processes seldom mean the same one.
  private static ServerSocket open() throws IOException {
    var taken = new BindException("no try");
    for (int i = 0; i < TRIES; i++) {
      var port = ThreadLocalRandom.current().nextInt(FIRST, BEHIND_LAST);
      try {
        return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
      } catch (BindException e) {
        taken = e;
      }
    }
    throw new IOException("no port between " + FIRST + " and " + BEHIND_LAST + " is free", taken);
  }
}
