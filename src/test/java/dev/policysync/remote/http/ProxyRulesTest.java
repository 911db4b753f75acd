package dev.policysync.remote.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProxyRulesTest {
  private static final String URL = "https://insights.example/v0";

  @Test
  void proxiesNothingWhereNothingIsSet() {
    var rules = ProxyRules.fromEnvironment(Map.of("HTTPS_PROXY", "", "NO_PROXY", "x"));

    assertThat(rules.select(URI.create(URL))).containsExactly(Proxy.NO_PROXY);
    assertThat(ProxyRules.none().select(URI.create(URL))).containsExactly(Proxy.NO_PROXY);
  }

  @Test
  void takesTheProxyOfTheUrlsScheme() {
    var rules =
        ProxyRules.fromEnvironment(
            Map.of("HTTPS_PROXY", "http://secure:3128", "HTTP_PROXY", "http://plain:8080"));

    assertThat(rules.select(URI.create("https://a.example"))).containsExactly(at("secure", 3128));
    assertThat(rules.select(URI.create("http://a.example"))).containsExactly(at("plain", 8080));
  }

  @Test
  void givesHttpsNoProxyThatIsMeantForHttp() {
    var rules = ProxyRules.fromEnvironment(Map.of("HTTP_PROXY", "http://plain:8080"));

    assertThat(rules.select(URI.create(URL))).containsExactly(Proxy.NO_PROXY);
  }

  @Test
  void prefersTheLowerCaseSpelling() {
    var rules =
        ProxyRules.fromEnvironment(
            Map.of(
                "https_proxy", "http://lower:1",
                "HTTPS_PROXY", "http://upper:2",
                "no_proxy", "low.example",
                "NO_PROXY", "up.example"));

    assertThat(rules.select(URI.create("https://up.example"))).containsExactly(at("lower", 1));
    assertThat(rules.select(URI.create("https://low.example"))).containsExactly(Proxy.NO_PROXY);
  }

  @Test
  void takesTheUpperCaseSpellingWhereTheOtherIsEmpty() {
    var rules =
        ProxyRules.fromEnvironment(Map.of("https_proxy", " ", "HTTPS_PROXY", "http://upper:2"));

    assertThat(rules.select(URI.create(URL))).containsExactly(at("upper", 2));
  }

  @ParameterizedTest
  @CsvSource({
    "proxy.corp:3128, proxy.corp, 3128",
    "http://proxy.corp, proxy.corp, 80",
    "http://proxy.corp:3128/, proxy.corp, 3128",
    "http://u:p@10.0.0.9:3128, 10.0.0.9, 3128",
    "u:p@proxy.corp:3128, proxy.corp, 3128",
    "http://[fd00::1]:3128, fd00::1, 3128",
  })
  void readsAProxysHostAndPort(String value, String host, int port) {
    var rules = ProxyRules.fromEnvironment(Map.of("HTTPS_PROXY", value));

    assertThat(rules.select(URI.create(URL))).containsExactly(at(host, port));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://u:hunter2@proxy:3128",
        "socks5://u:hunter2@proxy:1080",
        "http://u:hunter2@",
        "http://u:hunter2@proxy:none",
        "http://u:hunter2@pro xy"
      })
  void namesTheVariableOfAWrongProxyAndNotItsPassword(String value) {
    assertThatThrownBy(() -> ProxyRules.fromEnvironment(Map.of("https_proxy", value)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("HTTPS_PROXY: expected a proxy URL, e.g. http://user:password@")
        .hasMessageNotContaining("hunter2")
        .hasNoCause();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://localhost:8443",
        "https://LOCALHOST",
        "https://127.0.0.1",
        "https://127.8.9.1",
        "https://[::1]:6443",
        "https://kubernetes.default.svc",
        "https://kubernetes.default.svc.:443",
        "https://kyverno.kyverno.svc.cluster.local",
        "https://10.96.0.1:443",
      })
  void neverProxiesLoopbackAndTheCluster(String url) {
    var rules =
        ProxyRules.fromEnvironment(
            Map.of("HTTPS_PROXY", "proxy:3128", "KUBERNETES_SERVICE_HOST", "10.96.0.1"));

    assertThat(rules.select(URI.create(url))).containsExactly(Proxy.NO_PROXY);
  }

  private static Proxy at(String host, int port) {
    return new Proxy(Proxy.Type.HTTP, InetSocketAddress.createUnresolved(host, port));
  }
}
