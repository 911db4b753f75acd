package dev.policysync.remote.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class TcpNoDelaySocketFactoryTest {
  private final TcpNoDelaySocketFactory sockets = new TcpNoDelaySocketFactory();

  @Test
  void socketsSendWithoutDelay() throws IOException {
    var loopback = InetAddress.getLoopbackAddress();
    try (var server = new ServerSocket(0, 1, loopback);
        var unconnected = sockets.createSocket();
        var connected = sockets.createSocket(loopback, server.getLocalPort())) {
      assertThat(unconnected.getTcpNoDelay()).isTrue();
      assertThat(connected.getTcpNoDelay()).isTrue();
    }
  }
}
