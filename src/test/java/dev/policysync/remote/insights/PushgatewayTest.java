package dev.policysync.remote.insights;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.policysync.base.Secret;
import dev.policysync.harness.LoopbackHttps;
import dev.policysync.remote.http.Connections;
import dev.policysync.remote.http.ProxyRules;
import dev.policysync.remote.http.Trust;
import dev.policysync.testcluster.Certificates;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What is asked of a gateway, and what becomes of each answer. The real one is met in
/// `PushgatewayIT`.
class PushgatewayTest {
  private static final Duration LONG = Duration.ofMinutes(3);

  @TempDir private Path folder;
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final Connections connections = Connections.plain(ProxyRules.none());
  private HttpServer server;
  private int answer = 200;

  @BeforeEach
  void listen() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          asked.add(
              exchange.getRequestMethod()
                  + " "
                  + exchange.getRequestURI().getRawPath()
                  + " "
                  + exchange.getRequestHeaders().getFirst("Authorization")
                  + " "
                  + new String(exchange.getRequestBody().readAllBytes(), UTF_8));
          exchange.getResponseHeaders().add("Location", "http://elsewhere.example/");
          exchange.sendResponseHeaders(answer, -1);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void end() {
    connections.close();
    server.stop(0);
  }

  @ParameterizedTest
  @CsvSource({
    "acme, prod-1, /organization/acme/cluster/prod-1",
    "a b, größe, /organization/a%20b/cluster/gr%C3%B6%C3%9Fe",
    "a/b, .., /organization@base64/YS9i/cluster@base64/Li4=",
    "'', local, /organization@base64/=/cluster/local"
  })
  void postsToTheGroupOfTheCluster(String organization, String cluster, String path) {
    assertThat(push(base("/gateway/"), organization, cluster, LONG)).isEmpty();

    assertThat(asked)
        .containsExactly("POST /gateway/metrics/job/policy-sync" + path + " Basic eDp5 up 1\n");
  }

  /// A redirect might take the password elsewhere.
  @ParameterizedTest
  @ValueSource(ints = {302, 400, 401, 503})
  void saysWhatTheGatewayAnsweredAndAsksOnce(int status) {
    answer = status;

    assertThat(push(base(""), "acme", "prod-1", LONG))
        .contains(
            "POST "
                + base("")
                + "/metrics/job/policy-sync/organization/acme/cluster/prod-1: returned "
                + status);
    assertThat(asked).hasSize(1);
  }

  @Test
  void saysThatNobodyListens() throws IOException {
    int port;
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }

    assertThat(push(URI.create("http://127.0.0.1:" + port), "acme", "prod-1", LONG))
        .hasValueSatisfying(why -> assertThat(why).endsWith(": could not connect"));
  }

  @Test
  void doesNotWaitForAnAnswerThatNeverComes() throws IOException {
    try (var silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var url = URI.create("http://127.0.0.1:" + silent.getLocalPort());

      assertThat(push(url, "acme", "prod-1", Duration.ofMillis(200)))
          .hasValueSatisfying(why -> assertThat(why).endsWith(": no response within 200 ms"));
    }
  }

  @Test
  void asksNobodyWhereThereIsNoTime() {
    assertThat(push(base(""), "acme", "prod-1", Duration.ZERO)).isPresent();
    assertThat(asked).isEmpty();
  }

  private URI base(String path) {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
  }

  @Test
  void saysThatItsCertificateExpired() throws IOException {
    var authority = new Certificates();
    var until = Instant.now().minus(Duration.ofHours(1)).truncatedTo(ChronoUnit.SECONDS);
    var tls = authority.server(new Certificates.Validity(until.minus(Duration.ofDays(90)), until));
    var expired = LoopbackHttps.create(tls);
    expired.start();
    var pem = Files.writeString(folder.resolve("ca.pem"), authority.pem());
    var base = URI.create("https://127.0.0.1:" + expired.getAddress().getPort() + "/");
    try (var trusting = Connections.tls(Trust.only(pem), ProxyRules.none())) {
      var gateway = new Pushgateway(trusting, base, Map.of(), Optional.empty());

      assertThat(gateway.push("up 1\n", "text/plain", LONG).orElseThrow())
          .contains(": the server's certificate expired at " + until + "; renew it, or check the");
    } finally {
      expired.stop(0);
    }
  }

  private Optional<String> push(URI url, String organization, String cluster, Duration time) {
    var grouping = new LinkedHashMap<String, String>();
    grouping.put("organization", organization);
    grouping.put("cluster", cluster);
    return new Pushgateway(connections, url, grouping, Optional.of(Secret.of("Basic eDp5")))
        .push("up 1\n", "text/plain", time);
  }
}
