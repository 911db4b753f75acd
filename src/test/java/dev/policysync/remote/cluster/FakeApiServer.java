package dev.policysync.remote.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsServer;
import dev.policysync.harness.LoopbackHttps;
import dev.policysync.testcluster.Certificates;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLPeerUnverifiedException;

/// Answers every request with an empty object, and keeps by what each was authenticated.
final class FakeApiServer implements AutoCloseable {
  private final HttpsServer server;
  private final List<Sender> senders = new CopyOnWriteArrayList<>();
  private volatile Predicate<Sender> known = _ -> true;

  /// @param authorization the header of that name; empty where there is none
  /// @param certificate the subject of the client's certificate; empty where it showed none
  /// @param user whom it acts as
  record Sender(String authorization, String certificate, String user) {}

  private FakeApiServer(SSLContext tls) throws IOException {
    server = LoopbackHttps.create(tls);
    server.createContext("/", this::answer);
    server.start();
  }

  static FakeApiServer of(Certificates authority) throws IOException {
    return new FakeApiServer(authority.server());
  }

  static FakeApiServer with(SSLContext tls) throws IOException {
    return new FakeApiServer(tls);
  }

  int port() {
    return server.getAddress().getPort();
  }

  String url() {
    return "https://127.0.0.1:" + port();
  }

  /// Whoever is not known gets a 401.
  void knows(Predicate<Sender> sender) {
    known = sender;
  }

  /// Who sent the requests so far.
  List<Sender> senders() {
    return List.copyOf(senders);
  }

  private void answer(HttpExchange exchange) throws IOException {
    var sender =
        new Sender(
            header(exchange, "Authorization"),
            certificate((HttpsExchange) exchange),
            header(exchange, "Impersonate-User"));
    senders.add(sender);
    var right = known.test(sender);
    var body =
        (right ? "{}" : "{\"kind\":\"Status\",\"message\":\"Unauthorized\"}").getBytes(UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(right ? 200 : 401, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private static String header(HttpExchange exchange, String name) {
    var value = exchange.getRequestHeaders().getFirst(name);
    return value == null ? "" : value;
  }

  private static String certificate(HttpsExchange exchange) {
    try {
      return exchange.getSSLSession().getPeerPrincipal().getName();
    } catch (SSLPeerUnverifiedException _) {
      return "";
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
