package dev.policysync.remote.http;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.absent;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.ok;
import static com.github.tomakehurst.wiremock.client.WireMock.urlPathEqualTo;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.github.tomakehurst.wiremock.WireMockServer;
import dev.policysync.base.Parallel;
import dev.policysync.harness.TestAuthority;
import dev.policysync.testcluster.TimeLimits;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import okhttp3.Call;
import okhttp3.EventListener;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ConnectionsTest {
  /// `user:pässword`, as Basic authentication writes it in UTF-8.
  private static final String BASIC = "Basic dXNlcjpww6Rzc3dvcmQ=";

  /// As many as begin together.
  private static final int CALLS = 4;

  private static TestAuthority authority;
  private static WireMockServer server;

  @BeforeAll
  static void startServer() throws Exception {
    authority = TestAuthority.shared();
    server =
        new WireMockServer(
            options()
                .dynamicPort()
                .dynamicHttpsPort()
                .bindAddress("127.0.0.1")
                .keystorePath(authority.keyStore().toString())
                .keystorePassword(TestAuthority.PASSWORD)
                .keyManagerPassword(TestAuthority.PASSWORD));
    server.start();
  }

  @AfterAll
  static void stopServer() {
    server.stop();
  }

  @BeforeEach
  void answerEverything() {
    server.resetAll();
    server.stubFor(any(anyUrl()).willReturn(ok("hello")));
  }

  @Test
  void trustsTheAuthorityInSslCertFile() throws Exception {
    try (var connections = Connections.tls(withAuthority(), ProxyRules.none())) {
      try (var response = call(connections, https())) {
        assertThat(response.body().string()).isEqualTo("hello");
        assertThat(response.protocol()).isEqualTo(Protocol.HTTP_2);
      }
    }
  }

  @Test
  void callsThatBeginTogetherShareOneConnectionOfHttp2() throws Exception {
    var handshakes = new AtomicInteger();
    var listener =
        new EventListener() {
          @Override
          public void secureConnectStart(Call call) {
            handshakes.incrementAndGet();
          }
        };
    try (var connections = Connections.tls(withAuthority(), ProxyRules.none())) {
      var client = connections.client().newBuilder().eventListener(listener).build();
      var request = new Request.Builder().url(https()).build();
      var together = new CyclicBarrier(CALLS);
      var protocols =
          Parallel.map(
              IntStream.range(0, CALLS).boxed().toList(),
              CALLS,
              "calling",
              _ -> {
                try {
                  together.await();
                  try (var response = client.newCall(request).execute()) {
                    return response.protocol();
                  }
                } catch (IOException | InterruptedException | BrokenBarrierException e) {
                  throw new IllegalStateException(e);
                }
              });

      assertThat(protocols.values()).hasSize(CALLS).containsOnly(Protocol.HTTP_2);
      assertThat(handshakes).hasValue(1);
    }
  }

  @Test
  void refusesAnAuthorityThatNobodyNamed() {
    try (var connections = Connections.tls(Trust.fromEnvironment(Map.of()), ProxyRules.none())) {
      assertThatThrownBy(() -> call(connections, https())).isInstanceOf(SSLException.class);

      assertThat(server.getAllServeEvents()).isEmpty();
    }
  }

  @Test
  void refusesACertificateForAnotherName() throws Exception {
    try (var proxy = TunnelProxy.to(server.httpsPort());
        var connections =
            Connections.tls(withAuthority(), proxies("HTTPS_PROXY", "127.0.0.1:" + proxy.port()))) {
      assertThatThrownBy(() -> call(connections, "https://other.example/"))
          .isInstanceOf(SSLPeerUnverifiedException.class);

      assertThat(server.getAllServeEvents()).isEmpty();
    }
  }

  @Test
  void tunnelsThroughTheProxyAndLetsItResolveTheName() throws Exception {
    try (var proxy = TunnelProxy.to(server.httpsPort());
        var connections =
            Connections.tls(withAuthority(), proxies("HTTPS_PROXY", "127.0.0.1:" + proxy.port()))) {
      try (var response = call(connections, "https://insights.example/v0?a=b")) {
        assertThat(response.code()).isEqualTo(200);
      }

      assertThat(proxy.requests()).hasSize(1);
      assertThat(proxy.requests().getFirst())
          .startsWith("CONNECT insights.example:443 HTTP/1.1\r\n")
          .doesNotContain("Proxy-Authorization");
    }
  }

  @Test
  void tellsTheProxyUserAndPasswordAtOnce() throws Exception {
    try (var proxy = TunnelProxy.to(server.httpsPort(), BASIC);
        var connections =
            Connections.tls(
                withAuthority(),
                proxies("HTTPS_PROXY", "http://user:p%C3%A4ssword@127.0.0.1:" + proxy.port()))) {
      try (var response = call(connections, "https://insights.example/v0")) {
        assertThat(response.code()).isEqualTo(200);
      }

      assertThat(proxy.requests()).hasSize(1);
      assertThat(
              server
                  .getAllServeEvents()
                  .getFirst()
                  .getRequest()
                  .containsHeader("Proxy-Authorization"))
          .isFalse();
    }
  }

  @Test
  void repeatsNothingToAProxyThatRefusesTheUser() throws Exception {
    try (var proxy = TunnelProxy.to(server.httpsPort(), BASIC);
        var connections =
            Connections.tls(
                withAuthority(),
                proxies("HTTPS_PROXY", "http://user:hunter2@127.0.0.1:" + proxy.port()))) {
      assertThatThrownBy(() -> call(connections, "https://insights.example/v0"))
          .isInstanceOf(IOException.class)
          .hasMessage("Failed to authenticate with proxy");

      assertThat(proxy.requests()).hasSize(1);
    }
  }

  @Test
  void answersAProxyOfPlainRequestsThatAsksForAUser() throws Exception {
    server.stubFor(
        get(urlPathEqualTo("/v0"))
            .withHeader("Proxy-Authorization", absent())
            .willReturn(
                aResponse().withStatus(407).withHeader("Proxy-Authenticate", "Basic realm=x")));

    try (var connections =
        Connections.plain(proxies("HTTP_PROXY", "user:p%C3%A4ssword@127.0.0.1:" + server.port()))) {
      try (var response = call(connections, "http://insights.example/v0")) {
        assertThat(response.body().string()).isEqualTo("hello");
      }

      assertThat(
              server.getAllServeEvents().getFirst().getRequest().getHeader("Proxy-Authorization"))
          .isEqualTo(BASIC);
    }
  }

  @Test
  void reachesLoopbackWithoutTheProxy() throws Exception {
    try (var proxy = TunnelProxy.to(server.httpsPort());
        var connections =
            Connections.tls(withAuthority(), proxies("HTTPS_PROXY", "127.0.0.1:" + proxy.port()))) {
      try (var response = call(connections, https())) {
        assertThat(response.code()).isEqualTo(200);
      }

      assertThat(proxy.requests()).isEmpty();
    }
  }

  @Test
  void followsNoRedirect() throws Exception {
    server.stubFor(
        get(urlPathEqualTo("/from"))
            .willReturn(aResponse().withStatus(302).withHeader("Location", "/to")));

    try (var connections = Connections.plain(ProxyRules.none())) {
      try (var response = call(connections, http() + "/from")) {
        assertThat(response.code()).isEqualTo(302);
      }
      assertThat(server.getAllServeEvents()).hasSize(1);
    }
  }

  @Test
  void logsOneLineForAnExchangeWithoutQueryAndHeaders() throws Exception {
    try (var log = LogLines.capture();
        var connections = Connections.plain(ProxyRules.none())) {
      call(connections, http() + "/a/b?key=hunter2").close();

      assertThat(log.all()).hasSize(1);
      assertThat(log.all().getFirst())
          .matches(
              "DEBUG HTTP exchange method=GET url=http://127.0.0.1:\\d+/a/b status=200 durationMs=\\d+");
    }
  }

  @Test
  void logsAFailedExchangeByItsKindOnly() throws Exception {
    try (var log = LogLines.capture();
        var raw = RawServer.answering("hunter2\r\n\r\n");
        var connections = Connections.plain(ProxyRules.none())) {
      assertThatThrownBy(() -> call(connections, raw.url())).isInstanceOf(IOException.class);

      assertThat(log.all()).hasSize(1);
      assertThat(log.all().getFirst())
          .matches(
              "DEBUG HTTP exchange method=GET url=http://127.0.0.1:\\d+/ reason=ProtocolException"
                  + " durationMs=\\d+");
    }
  }

  @Test
  void breaksOffACallUnderWayWhenCancelled() throws Exception {
    try (var silent = RawServer.silent();
        var connections = Connections.plain(ProxyRules.none())) {
      var call =
          CompletableFuture.supplyAsync(() -> {
            try (var response = call(connections, silent.url())) {
              return "answered " + response.code();
            } catch (IOException e) {
              return "failed";
            }
          });
      await().until(() -> !silent.requests().isEmpty());

      connections.cancel();

      assertThat(call).succeedsWithin(TimeLimits.WAIT).isEqualTo("failed");
    }
  }

  @Test
  void letsNoCallThroughOnceCancelled() {
    try (var connections = Connections.plain(ProxyRules.none())) {
      connections.cancel();

      assertThatThrownBy(() -> call(connections, http()))
          .isInstanceOf(IOException.class)
          .hasMessage("Canceled");
      assertThat(server.getAllServeEvents()).isEmpty();
    }
  }

  @Test
  void wakesAPauseWhenCancelled() throws Exception {
    try (var connections = Connections.plain(ProxyRules.none())) {
      var before = connections.pause(Duration.ofMillis(1));
      connections.cancel();
      var after = connections.pause(Duration.ofDays(1));

      assertThat(before).isTrue();
      assertThat(after).isFalse();
      assertThat(connections.cancelled()).isTrue();
    }
  }

  @Test
  void leavesNoConnectionAndNoThreadPoolBehind() throws Exception {
    OkHttpClient client;
    try (var connections = Connections.tls(withAuthority(), ProxyRules.none())) {
      client = connections.client();
      call(connections, https()).close();
      await().until(() -> threadsNamed("OkHttp 127.0.0.1") > 0);
    }

    assertThat(client.connectionPool().connectionCount()).isZero();
    assertThat(client.dispatcher().executorService().isShutdown()).isTrue();
    await().until(() -> threadsNamed("OkHttp 127.0.0.1") == 0);
  }

  /// OkHttp names a thread that reads an HTTP/2 connection after its host.
  private static long threadsNamed(String name) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals(name))
        .count();
  }

  private static Response call(Connections connections, String url) throws IOException {
    return connections.client().newCall(new Request.Builder().url(url).build()).execute();
  }

  private static Trust withAuthority() {
    return Trust.fromEnvironment(Map.of("SSL_CERT_FILE", authority.pem().toString()));
  }

  private static ProxyRules proxies(String variable, String value) {
    return ProxyRules.fromEnvironment(Map.of(variable, value));
  }

  private static String https() {
    return "https://127.0.0.1:" + server.httpsPort();
  }

  private static String http() {
    return "http://127.0.0.1:" + server.port();
  }
}
