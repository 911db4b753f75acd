package dev.policysync.testcluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/// Ports of 127.0.0.1 for servers that cannot choose one themselves.
final class FreePorts {
  private FreePorts() {}

  /// Ports that were free a moment ago, all different because all were open at once.
  static List<Integer> take(int count) throws IOException {
    var sockets = new ArrayList<ServerSocket>();
    try {
      for (int i = 0; i < count; i++) {
        sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
      }
      return sockets.stream().map(ServerSocket::getLocalPort).toList();
    } finally {
      for (var socket : sockets) {
        socket.close();
      }
    }
  }
}
