package dev.policysync.remote.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.policysync.harness.TestAuthority;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.KeyStore;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import okhttp3.Request;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Which keys are offered to servers that take some only, in a client's own connections.
class X25519SocketFactoryTest {
  @Test
  void isTakenAtOnceByAServerThatKnowsIt() throws Exception {
    try (var server = new Server("TLSv1.3", "x25519");
        var connections = connections()) {
      call(connections, server);
      call(connections, server);

      assertThat(server.connections).hasValue(2);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
  void offersAllAfterARefusalAndFromThenOn(String protocol) throws Exception {
    try (var server = new Server(protocol, "secp256r1", "secp384r1");
        var connections = connections()) {
      call(connections, server);
      call(connections, server);
      call(connections, server);

      assertThat(server.connections).hasValue(4);
      assertThat(server.answers).hasValue(3);
    }
  }

  /// Statuses go over several connections that begin at the same time.
  @Test
  void takesNoSocketForRefusedThatIsStillAboutToAgree() throws Exception {
    try (var server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      var factory =
          new X25519SocketFactory(
              (SSLSocketFactory) SSLSocketFactory.getDefault(), Optional.empty());
      try (var second = socketBesideOneThatEnds(factory, server);
          var third = socket(factory, server)) {
        assertThat(groups(second)).containsExactly("x25519");
        assertThat(groups(third)).as("all that Java knows").contains("x25519", "secp256r1");
      }
    }
  }

  /// A socket that is made while another one is about to agree, which is given up then.
  private static SSLSocket socketBesideOneThatEnds(SSLSocketFactory factory, ServerSocket server)
      throws IOException {
    try (var first = socket(factory, server)) {
      assertThat(groups(first)).containsExactly("x25519");
      return socket(factory, server);
    }
  }

  @Test
  void judgesCertificatesAsBefore() throws Exception {
    try (var server = new Server("TLSv1.3", "x25519", "secp256r1");
        var connections = Connections.tls(Trust.fromEnvironment(Map.of()), ProxyRules.none())) {
      assertThatThrownBy(() -> call(connections, server)).isInstanceOf(SSLException.class);

      assertThat(server.connections).hasValue(1);
    }
  }

  private static Connections connections() {
    var pem = TestAuthority.shared().pem().toString();
    return Connections.tls(Trust.fromEnvironment(Map.of("SSL_CERT_FILE", pem)), ProxyRules.none());
  }

  private static SSLSocket socket(SSLSocketFactory factory, ServerSocket server)
      throws IOException {
    var plain = new Socket(server.getInetAddress(), server.getLocalPort());
    return (SSLSocket) factory.createSocket(plain, "127.0.0.1", server.getLocalPort(), true);
  }

  private static String[] groups(SSLSocket socket) {
    return socket.getSSLParameters().getNamedGroups();
  }

  private static void call(Connections connections, Server server) throws IOException {
    var request = new Request.Builder().url(server.url()).build();
    try (var response = connections.client().newCall(request).execute()) {
      assertThat(response.code()).isEqualTo(204);
    }
  }

  /// Answers one request a connection.
  private static final class Server implements AutoCloseable {
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger answers = new AtomicInteger();
    private final SSLServerSocket socket;

    private Server(String protocol, String... groups) throws Exception {
      var password = TestAuthority.PASSWORD.toCharArray();
      var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      try (var in = Files.newInputStream(TestAuthority.shared().keyStore())) {
        var store = KeyStore.getInstance("PKCS12");
        store.load(in, password);
        keys.init(store, password);
      }
      var context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), null, null);
      socket =
          (SSLServerSocket)
              context
                  .getServerSocketFactory()
                  .createServerSocket(0, 50, InetAddress.getLoopbackAddress());
      var parameters = socket.getSSLParameters();
      parameters.setProtocols(new String[] {protocol});
      parameters.setNamedGroups(groups);
      socket.setSSLParameters(parameters);
      Thread.ofPlatform().daemon().name("tls-server").start(this::serve);
    }

    private String url() {
      return "https://127.0.0.1:" + socket.getLocalPort() + "/";
    }

    private void serve() {
      while (!socket.isClosed()) {
        try (var connection = socket.accept()) {
          connections.incrementAndGet();
          var in =
              new BufferedReader(
                  new InputStreamReader(connection.getInputStream(), StandardCharsets.US_ASCII));
          for (var line = in.readLine(); line != null && !line.isEmpty(); ) {
            line = in.readLine();
          }
          answers.incrementAndGet();
          connection
              .getOutputStream()
              .write(
                  "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"
                      .getBytes(StandardCharsets.US_ASCII));
        } catch (IOException _) {
          // The handshake failed, or this server was closed.
        }
      }
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
