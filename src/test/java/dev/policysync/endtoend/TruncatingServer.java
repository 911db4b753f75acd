package dev.policysync.endtoend;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/// An API whose answer ends in the middle: it promises a length, sends half of it and hangs up.
final class TruncatingServer implements AutoCloseable {
  private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final byte[] body;

  TruncatingServer(String body) throws IOException {
    this.body = body.getBytes(UTF_8);
    Thread.ofPlatform().daemon().start(this::serve);
  }

  String url() {
    return "http://127.0.0.1:" + socket.getLocalPort();
  }

  private void serve() {
    while (!socket.isClosed()) {
      try (var connection = socket.accept()) {
        answer(connection);
      } catch (IOException e) {
        if (!socket.isClosed()) {
          throw new UncheckedIOException("cannot answer", e);
        }
      }
    }
  }

  private void answer(Socket connection) throws IOException {
    var request = connection.getInputStream();
    var _ = request.read(new byte[8192]);
    var head =
        "HTTP/1.1 200 OK\r\nContent-Type: text/yaml\r\nContent-Length: " + body.length + "\r\n\r\n";
    var out = connection.getOutputStream();
    out.write(head.getBytes(UTF_8));
    out.write(body, 0, body.length / 2);
    out.flush();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
