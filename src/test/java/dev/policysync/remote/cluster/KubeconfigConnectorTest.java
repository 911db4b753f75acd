package dev.policysync.remote.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.policysync.base.Value;
import dev.policysync.remote.cluster.FakeApiServer.Sender;
import dev.policysync.remote.http.RawServer;
import dev.policysync.remote.http.SocksProxy;
import dev.policysync.remote.http.TunnelProxy;
import dev.policysync.sync.execution.ClusterUnavailable;
import dev.policysync.testcluster.Certificates;
import dev.policysync.testcluster.Certificates.Validity;
import dev.policysync.testcluster.KubeconfigFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// How a kubeconfig's cluster is reached and as whom, with real TLS and real proxies.
class KubeconfigConnectorTest {
  /// `user:pässword`, as Basic authentication writes it in UTF-8.
  private static final String BASIC = "Basic dXNlcjpww6Rzc3dvcmQ=";

  private static final Certificates AUTHORITY = new Certificates();

  @TempDir private Path folder;
  private FakeApiServer server;

  @BeforeEach
  void start() throws IOException {
    server = FakeApiServer.of(AUTHORITY);
  }

  @AfterEach
  void end() {
    server.close();
  }

  /// Both clusters have the same `server`.
  @Test
  void theContextsOwnClusterDecidesAboutTheProxy() throws IOException {
    try (var proxy = TunnelProxy.to(server.port())) {
      var direct = cluster();
      var proxied = cluster("proxy-url", "http://127.0.0.1:" + proxy.port());
      for (var clusters : List.of(List.of(direct, proxied), List.of(proxied, direct))) {
        var file =
            new KubeconfigFile()
                .cluster("first", clusters.getFirst())
                .cluster("second", clusters.getLast())
                .user("me", "t0ken")
                .context("one", "first", "me", "team")
                .context("two", "second", "me", "team")
                .write(folder.resolve("config"));

        var before = proxy.requests().size();
        get(file, clusters.getFirst().equals(direct) ? "one" : "two");
        assertThat(proxy.requests()).as("directly").hasSize(before);
        get(file, clusters.getFirst().equals(direct) ? "two" : "one");
        assertThat(proxy.requests()).as("by the proxy").hasSize(before + 1);
      }
    }
  }

  @Test
  void sendsTheProxyTheUserAndPasswordOfItsUrl() throws IOException {
    try (var proxy = TunnelProxy.to(server.port(), BASIC)) {
      get(config(cluster("proxy-url", "http://user:p%C3%A4ssword@127.0.0.1:" + proxy.port())));

      assertThat(proxy.requests()).hasSize(1);
      assertThat(proxy.requests().getFirst())
          .startsWith("CONNECT 127.0.0.1:" + server.port())
          .contains("Proxy-Authorization: " + BASIC)
          .doesNotContain("t0ken");
      assertThat(server.senders()).hasSize(1);
    }
  }

  @Test
  void namesTheProxyThatRejectsItsUserWithoutThePassword() throws IOException {
    try (var proxy = TunnelProxy.to(server.port(), BASIC)) {
      var url = "http://user:hunter2@127.0.0.1:" + proxy.port();

      assertThatThrownBy(() -> get(config(cluster("proxy-url", url))))
          .isInstanceOf(ClusterUnavailable.class)
          .hasMessageContaining(
              "the proxy http://127.0.0.1:"
                  + proxy.port()
                  + " requires a user and password, or rejected them; check proxy-url")
          .message()
          .doesNotContain("hunter2");
      assertThat(server.senders()).isEmpty();
    }
  }

  @Test
  void namesTheProxyThatRefusesToConnect() throws IOException {
    try (var proxy = RawServer.answering("HTTP/1.1 403 hunter2\r\nContent-Length: 0\r\n\r\n")) {
      var port = URI.create(proxy.url()).getPort();

      assertThatThrownBy(() -> get(config(cluster("proxy-url", "http://127.0.0.1:" + port))))
          .hasMessageContaining(
              "the proxy http://127.0.0.1:"
                  + port
                  + " refused to connect to the API server with HTTP 403; check proxy-url");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"http", "socks5"})
  void namesTheProxyThatIsNotThere(String scheme) throws IOException {
    var url = scheme + "://user:hunter2@127.0.0.1:" + closedPort();

    assertThatThrownBy(() -> get(config(cluster("proxy-url", url))))
        .hasMessageContaining("could not connect to the proxy " + scheme + "://127.0.0.1:")
        .message()
        .doesNotContain("hunter2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"socks5", "socks5h"})
  void connectsByASocksProxyWhichLooksUpTheName(String scheme) throws IOException {
    try (var proxy = SocksProxy.to(server.port())) {
      var fields = cluster("proxy-url", scheme + "://127.0.0.1:" + proxy.port());
      fields.put("server", new Value.Text("https://api.example:6443"));

      get(config(fields));

      assertThat(proxy.hosts()).containsExactly("api.example");
      assertThat(server.senders()).hasSize(1);
    }
  }

  @Test
  void logsInToASocksProxy() throws IOException {
    try (var proxy = SocksProxy.to(server.port(), "user:pass")) {
      get(config(cluster("proxy-url", "socks5://user:pass@127.0.0.1:" + proxy.port())));
      var wrong = config(cluster("proxy-url", "socks5h://user:hunter2@127.0.0.1:" + proxy.port()));

      assertThat(server.senders()).hasSize(1);
      assertThatThrownBy(() -> get(wrong))
          .hasMessageContaining(
              "the proxy socks5h://127.0.0.1:" + proxy.port() + " requires a user")
          .message()
          .doesNotContain("hunter2");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"https://user:hunter2@proxy.example", "ftp://user:hunter2@proxy.example"})
  void refusesOtherProxiesByName(String url) throws IOException {
    var file = config(cluster("proxy-url", url));

    assertThatThrownBy(() -> connect(file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "the kubeconfig "
                + file
                + " cannot be used: cluster \"dev\": proxy-url: the proxy "
                + url.replace("user:hunter2@", "")
                + " is not supported; use http://, socks5:// or socks5h://");
  }

  @ParameterizedTest
  @ValueSource(strings = {"proxy.example:3128", "http://", "http://user:hunter2@pro xy"})
  void refusesAProxyUrlThatIsNone(String url) throws IOException {
    var file = config(cluster("proxy-url", url));

    assertThatThrownBy(() -> connect(file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cluster \"dev\": proxy-url: expected http://")
        .message()
        .doesNotContain("hunter2");
  }

  @Test
  void sendsACertificateTogetherWithAToken() throws IOException {
    var signed = AUTHORITY.issue("alice", List.of(), "EC");
    var user = certificate(signed);
    user.put("token", new Value.Text("t0ken"));

    get(config(cluster(), user));

    assertThat(server.senders()).containsExactly(new Sender("Bearer t0ken", "CN=alice", ""));
  }

  @Test
  void readsCertificateAndKeyFromFiles() throws IOException {
    var signed = AUTHORITY.issue("alice", List.of(), "RSA");
    Files.writeString(folder.resolve("me.crt"), signed.certificate());
    Files.writeString(folder.resolve("me.key"), signed.privateKey());

    get(config(cluster(), user("client-certificate", "me.crt", "client-key", "me.key")));

    assertThat(server.senders()).containsExactly(new Sender("", "CN=alice", ""));
  }

  @Test
  void saysThatTheClientsCertificateExpiredWhereItIsRefused() throws IOException {
    var until = Instant.now().minus(Duration.ofHours(1)).truncatedTo(ChronoUnit.SECONDS);
    var validity = new Validity(until.minus(Duration.ofDays(1)), until);
    var user = certificate(AUTHORITY.issue("alice", List.of(), "EC", validity));
    server.knows(_ -> false);

    assertThatThrownBy(() -> get(config(cluster(), user)))
        .hasMessageContaining(
            "HTTP 401, and the kubeconfig's client certificate expired at "
                + until
                + "; renew it, or check the clock of this machine");
  }

  @Test
  void saysThatTheServersCertificateExpired() throws IOException {
    var until = Instant.now().minus(Duration.ofHours(1)).truncatedTo(ChronoUnit.SECONDS);
    var tls = AUTHORITY.server(new Validity(until.minus(Duration.ofDays(1)), until));
    try (var expired = FakeApiServer.with(tls)) {
      var fields = cluster();
      fields.put("server", new Value.Text(expired.url()));

      assertThatThrownBy(() -> get(config(fields)))
          .hasMessageContaining("the server's certificate expired at " + until)
          .hasMessageContaining("check the clock of this machine");
    }
  }

  @Test
  void authenticatesByUserAndPassword() throws IOException {
    get(config(cluster(), user("username", "user", "password", "pässword")));

    assertThat(server.senders()).containsExactly(new Sender(BASIC, "", ""));
  }

  @Test
  void readsATokenFileAtEachRequestAndPrefersItToTheToken() throws IOException {
    var token = Files.writeString(folder.resolve("token"), "first\n");
    var file = config(cluster(), user("tokenFile", "token", "token", "old"));
    try (var connection = connect(file)) {
      get(connection);
      Files.writeString(token, "second\n");
      get(connection);
    }
    Files.delete(token);
    get(file);

    assertThat(server.senders())
        .extracting(Sender::authorization)
        .containsExactly("Bearer first", "Bearer second", "Bearer old");
  }

  @Test
  void actsAsTheUserWhomTheKubeconfigNames() throws IOException {
    get(config(cluster(), user("token", "t0ken", "as", "bob")));

    assertThat(server.senders()).containsExactly(new Sender("Bearer t0ken", "", "bob"));
  }

  @Test
  void trustsAnyServerIfTheKubeconfigSaysSo() throws IOException {
    var fields = new HashMap<String, Value>();
    fields.put("server", new Value.Text("https://localhost:" + server.port()));
    fields.put("insecure-skip-tls-verify", new Value.Bool(true));
    get(config(fields));
    fields.put("tls-server-name", new Value.Text("another.example"));
    get(config(fields));
    fields.put("certificate-authority-data", base64(AUTHORITY.pem()));
    var both = config(fields);

    assertThat(server.senders()).hasSize(2);
    assertThatThrownBy(() -> connect(both))
        .hasMessageContaining(
            "cluster \"dev\" has both a certificate-authority and insecure-skip-tls-verify");
  }

  @Test
  void trustsWhatSslCertFileNamesWhereTheClusterHasNoAuthority() throws IOException {
    var pem = Files.writeString(folder.resolve("roots.pem"), AUTHORITY.pem());
    var file = config(new HashMap<>(Map.of("server", new Value.Text(server.url()))));
    var paths = Optional.of(file.toString());
    var environment = Map.of("SSL_CERT_FILE", pem.toString());

    try (var connection = new ClusterAccess(environment, paths, Optional.empty()).connect()) {
      get(connection);
    }

    assertThat(server.senders()).hasSize(1);
    assertThatThrownBy(() -> get(file)).hasMessageContaining("the certificate is not signed by");
  }

  @Test
  void checksTheNameThatTheKubeconfigGivesTheServer() throws IOException {
    get(config(cluster("tls-server-name", "api.example")));

    assertThat(server.senders()).hasSize(1);
    assertThatThrownBy(() -> get(config(cluster("tls-server-name", "other.example"))))
        .hasMessageContaining("the certificate is for another host name");
  }

  @Test
  void neverGoesOnAsNobodyWhereSomebodyWasMeant() throws IOException {
    var misspelt = config(cluster(), user("tokn", "t0ken"));
    var half = config(cluster(), user("client-certificate-data", "eA=="));
    var two = config(cluster(), user("token", "t0ken", "username", "me"));
    var missing =
        new KubeconfigFile()
            .cluster("dev", cluster())
            .context("work", "dev", "nobody", "team")
            .write(folder.resolve("missing"));

    assertThatThrownBy(() -> connect(misspelt))
        .hasMessageContaining("user \"me\" has no credential that is known; expected one of auth-");
    assertThatThrownBy(() -> connect(half))
        .hasMessageContaining("client-key of user \"me\" is missing");
    assertThatThrownBy(() -> connect(two)).hasMessageContaining("has both a token and a username");
    assertThatThrownBy(() -> connect(missing))
        .hasMessageContaining("it has no user \"nobody\", which context \"work\" names");
    assertThat(server.senders()).isEmpty();
  }

  /// The Kubernetes client knows no such provider, and would send nothing.
  @Test
  void refusesAnAuthProviderThatGivesNoToken() throws IOException {
    var provider =
        new Value.Mapping(
            Map.of(
                "name", new Value.Text("azure"),
                "config", new Value.Mapping(Map.of("access-token", new Value.Text("hunter2")))));
    var file = config(cluster(), new HashMap<>(Map.of("auth-provider", provider)));

    assertThatThrownBy(() -> get(file))
        .isInstanceOf(ClusterUnavailable.class)
        .hasMessageContaining("the kubeconfig's auth-provider azure gave no token");
    assertThat(server.senders()).isEmpty();
  }

  @Test
  void takesTheTokenOfAnAuthProviderFromTheKubernetesClient() throws IOException {
    var expiry = Instant.now().plus(Duration.ofHours(1)).getEpochSecond();
    var claims =
        Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString(("{\"exp\":" + expiry + "}").getBytes(UTF_8));
    var token = "eyJhbGciOiJub25lIn0." + claims + ".";
    var provider =
        new Value.Mapping(
            Map.of(
                "name", new Value.Text("oidc"),
                "config", new Value.Mapping(Map.of("id-token", new Value.Text(token)))));

    get(config(cluster(), new HashMap<>(Map.of("auth-provider", provider))));

    assertThat(server.senders())
        .extracting(Sender::authorization)
        .containsExactly("Bearer " + token);
  }

  @Test
  void knowsWhetherTheContextNamesANamespace() throws IOException {
    var without =
        new KubeconfigFile()
            .cluster("dev", cluster())
            .user("me", "t0ken")
            .context("work", "dev", "me", "")
            .write(folder.resolve("without"));

    try (var unnamed = connect(without);
        var named = connect(config(cluster()))) {
      assertThat(unnamed.origin())
          .isEqualTo(new ClusterConnection.Origin.Kubeconfig("work", Optional.empty()));
      assertThat(named.origin())
          .isEqualTo(new ClusterConnection.Origin.Kubeconfig("work", Optional.of("team")));
    }
  }

  private static int closedPort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private Path config(Map<String, Value> cluster) throws IOException {
    return config(cluster, user("token", "t0ken"));
  }

  private Path config(Map<String, Value> cluster, Map<String, Value> user) throws IOException {
    return new KubeconfigFile()
        .cluster("dev", cluster)
        .user("me", user)
        .context("work", "dev", "me", "team")
        .write(Files.createTempFile(folder, "config", ""));
  }

  private Map<String, Value> cluster(String... more) {
    var fields = user(more);
    fields.put("server", new Value.Text(server.url()));
    fields.put("certificate-authority-data", base64(AUTHORITY.pem()));
    return fields;
  }

  private static Map<String, Value> user(String... fields) {
    var user = new HashMap<String, Value>();
    for (var at = 0; at < fields.length; at += 2) {
      user.put(fields[at], new Value.Text(fields[at + 1]));
    }
    return user;
  }

  private static Map<String, Value> certificate(Certificates.Signed signed) {
    var user = new HashMap<String, Value>();
    user.put("client-certificate-data", base64(signed.certificate()));
    user.put("client-key-data", base64(signed.privateKey()));
    return user;
  }

  private static Value base64(String text) {
    return new Value.Text(Base64.getEncoder().encodeToString(text.getBytes(UTF_8)));
  }

  private static ClusterConnection connect(Path file) {
    return new ClusterAccess(Map.of(), Optional.of(file.toString()), Optional.empty()).connect();
  }

  private static void get(Path file) {
    try (var connection = connect(file)) {
      get(connection);
    }
  }

  private static void get(Path file, String context) {
    var access = new ClusterAccess(Map.of(), Optional.of(file.toString()), Optional.of(context));
    try (var connection = access.connect()) {
      get(connection);
    }
  }

  private static void get(ClusterConnection connection) {
    new KubeApi(connection).get(connection.server(), KubeApi.JSON);
  }
}
