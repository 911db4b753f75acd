package dev.policysync.remote.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.SocketFactory;

/// Makes sockets that send data at once (TCP_NODELAY).
///
/// OkHttp writes a request's head and body one after the other. By default the kernel holds back
/// the body until the head is acknowledged, and the server's kernel waits up to 40 ms before it
/// acknowledges.
final class TcpNoDelaySocketFactory extends SocketFactory {
  @Override
  public Socket createSocket() throws IOException {
    return prompt(new Socket());
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return prompt(new Socket(host, port));
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress from, int fromPort)
      throws IOException {
    return prompt(new Socket(host, port, from, fromPort));
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return prompt(new Socket(host, port));
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress from, int fromPort)
      throws IOException {
    return prompt(new Socket(host, port, from, fromPort));
  }

  private static Socket prompt(Socket socket) throws IOException {
    try {
      socket.setTcpNoDelay(true);
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }
}
