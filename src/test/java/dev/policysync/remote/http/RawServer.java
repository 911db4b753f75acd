package dev.policysync.remote.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/// Answers each connection's first request with given bytes and hangs up: what no proper server
/// does.
public final class RawServer implements AutoCloseable {
  private final ServerSocket server;
  private final byte @Nullable [] answer;
  private final List<Socket> held = new CopyOnWriteArrayList<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();

  private RawServer(byte @Nullable [] answer) throws IOException {
    this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    this.answer = answer;
    Thread.ofPlatform().daemon().name("raw-server").start(this::serve);
  }

  public static RawServer answering(String answer) throws IOException {
    return new RawServer(answer.getBytes(StandardCharsets.UTF_8));
  }

  public static RawServer answering(byte[] answer) throws IOException {
    return new RawServer(answer);
  }

  /// Takes requests and never says a word.
  public static RawServer silent() throws IOException {
    return new RawServer(null);
  }

  public String url() {
    return "http://127.0.0.1:" + server.getLocalPort();
  }

  /// The heads of the requests so far.
  public List<String> requests() {
    return requests;
  }

  /// How many connections there were so far.
  public int connections() {
    return held.size();
  }

  private void serve() {
    while (!server.isClosed()) {
      try {
        var socket = server.accept();
        held.add(socket);
        requests.add(head(socket));
        if (answer != null) {
          socket.getOutputStream().write(answer);
          socket.close();
        }
      } catch (IOException _) {
        // The client hung up, or the server was closed.
      }
    }
  }

  static String head(Socket socket) throws IOException {
    var head = new ByteArrayOutputStream();
    var in = socket.getInputStream();
    while (!head.toString(StandardCharsets.US_ASCII).endsWith("\r\n\r\n")) {
      var next = in.read();
      if (next < 0) {
        break;
      }
      head.write(next);
    }
    return head.toString(StandardCharsets.US_ASCII);
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (var socket : held) {
      socket.close();
    }
  }
}
