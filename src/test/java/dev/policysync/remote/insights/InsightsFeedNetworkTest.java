package dev.policysync.remote.insights;

import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.ok;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.tomakehurst.wiremock.WireMockServer;
import dev.policysync.harness.TestAuthority;
import dev.policysync.policy.feed.FeedProblem;
import dev.policysync.remote.http.ProxyRules;
import dev.policysync.remote.http.RawServer;
import dev.policysync.remote.http.Trust;
import dev.policysync.remote.http.TunnelProxy;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The feed over TLS and through proxies, set up from the environment as in a pod.
class InsightsFeedNetworkTest {
  private static TestAuthority authority;
  private static WireMockServer server;

  @BeforeAll
  static void startServer() throws Exception {
    authority = TestAuthority.shared();
    server =
        new WireMockServer(
            options()
                .httpDisabled(true)
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
  void answerTheFeed() {
    server.resetAll();
    server.stubFor(any(anyUrl()).willReturn(ok("kind: x\n")));
  }

  @Test
  void readsOverTlsWithAnAuthorityOfItsOwn() {
    assertThat(read(local(), authority())).isEqualTo("kind: x\n");
  }

  @Test
  void saysHowToTrustAnAuthority() {
    assertThat(read(local(), Map.of()))
        .endsWith(
            "kyverno-policies/with-app-groups-applied/yaml: the certificate is not trusted; if"
                + " the API or a proxy uses a private CA, mount the CA's PEM file and set"
                + " SSL_CERT_FILE to it [retryable: false]");
    assertThat(server.getAllServeEvents()).isEmpty();
  }

  @Test
  void readsThroughAProxyThatWantsAUser() throws Exception {
    try (var proxy = TunnelProxy.to(server.httpsPort(), "Basic dTpodW50ZXIy")) {
      var environment = with("HTTPS_PROXY", "http://u:hunter2@127.0.0.1:" + proxy.port());

      assertThat(read("https://insights.example", environment)).isEqualTo("kind: x\n");
      assertThat(proxy.requests()).hasSize(1);
      assertThat(proxy.requests().getFirst()).doesNotContain("t0ken");
    }
  }

  @Test
  void saysThatTheProxyWantsAUser() throws Exception {
    try (var proxy = TunnelProxy.to(server.httpsPort(), "Basic dTpodW50ZXIy")) {
      var environment = with("HTTPS_PROXY", "http://u:hunter3@127.0.0.1:" + proxy.port());

      assertThat(read("https://insights.example", environment))
          .endsWith(
              ": the proxy requires authentication or rejected the credentials; set HTTPS_PROXY"
                  + " to http://user:password@host:port [retryable: false]")
          .doesNotContain("hunter3");
      assertThat(proxy.requests()).hasSize(1);
    }
  }

  @ParameterizedTest
  @CsvSource({"403, '', false", "503, ' (4 attempts)', true"})
  void saysWhatTheProxyAnswered(int status, String attempts, boolean retryable) throws Exception {
    try (var proxy =
        RawServer.answering("HTTP/1.1 " + status + " hunter2\r\nContent-Length: 0\r\n\r\n")) {
      var port = URI.create(proxy.url()).getPort();

      assertThat(read("https://insights.example", with("HTTPS_PROXY", "127.0.0.1:" + port)))
          .endsWith(
              ": the proxy rejected the connection with "
                  + status
                  + "; check HTTPS_PROXY and NO_PROXY"
                  + attempts
                  + " [retryable: "
                  + retryable
                  + "]")
          .doesNotContain("hunter2");
    }
  }

  @Test
  void saysThatTheCertificateIsForAnotherName() throws Exception {
    try (var proxy = TunnelProxy.to(server.httpsPort())) {
      var environment = with("HTTPS_PROXY", "127.0.0.1:" + proxy.port());

      assertThat(read("https://other.example", environment))
          .endsWith(
              ": the certificate is for another host name; check FAIRWINDS_INSIGHTS_HOST"
                  + " [retryable: false]");
    }
  }

  @Test
  void goesAroundTheProxyWhereNoProxySaysSo() throws Exception {
    try (var proxy = TunnelProxy.to(server.httpsPort())) {
      var environment = with("HTTPS_PROXY", "127.0.0.1:" + proxy.port());
      environment.put("NO_PROXY", "invalid");

      assertThat(read("https://insights.invalid", environment))
          .contains(": the host name could not be resolved; check FAIRWINDS_INSIGHTS_HOST, ");
      assertThat(proxy.requests()).isEmpty();
    }
  }

  private static String read(String url, Map<String, String> environment) {
    var api = TestApi.connection(url, "acme", "prod-1");
    var trust = Trust.fromEnvironment(environment);
    try (var connections = api.open(trust, ProxyRules.fromEnvironment(environment))) {
      var feed =
          new InsightsFeed(
              connections,
              api,
              "1.2.3",
              TestApi.RULES,
              new FakeRetryClock(),
              TestApi.limit(1024 * 1024));
      return new String(feed.read().getFirst().bytes(), UTF_8);
    } catch (FeedProblem problem) {
      return problem.getMessage() + " [retryable: " + problem.retryable() + "]";
    }
  }

  private static Map<String, String> authority() {
    return Map.of("SSL_CERT_FILE", authority.pem().toString());
  }

  private static Map<String, String> with(String variable, String value) {
    var environment = new HashMap<>(authority());
    environment.put(variable, value);
    return environment;
  }

  private static String local() {
    return "https://localhost:" + server.httpsPort();
  }
}
