package dev.policysync.remote.http;

import java.io.IOException;
import java.net.Authenticator;
import java.net.PasswordAuthentication;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.Route;
import org.jspecify.annotations.Nullable;

/// Selects the proxy of each request by `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, which Java
/// itself ignores. If a variable is set in both spellings, the lower-case one takes precedence. An
/// empty variable counts as unset.
///
/// `NO_PROXY` follows Go's rules, as in the Go agent and most cluster components
/// (`golang.org/x/net/http/httpproxy`). Some hosts are never proxied, whatever the variables
/// contain: loopback, `*.svc`, `*.cluster.local`, and the API server's address in a Pod's
/// environment.
public final class ProxyRules extends ProxySelector {
  private static final List<Proxy> DIRECT = List.of(Proxy.NO_PROXY);

  private final Optional<ProxyServer> forHttps;
  private final Optional<ProxyServer> forHttp;
  private final Exemptions exempt;

  private interface Exemptions {
    boolean covers(String host, int port);
  }

  private ProxyRules(
      Optional<ProxyServer> forHttps, Optional<ProxyServer> forHttp, Exemptions exempt) {
    this.forHttps = forHttps;
    this.forHttp = forHttp;
    this.exempt = exempt;
  }

  /// Reads the rules from environment variables.
  ///
  /// @throws IllegalArgumentException if a proxy's URL is invalid; the message names only the
  ///   variable, because the URL may contain a password
  public static ProxyRules fromEnvironment(Map<String, String> environment) {
    var forHttps = proxy(environment, "HTTPS_PROXY");
    var forHttp = proxy(environment, "HTTP_PROXY");
    if (forHttps.isEmpty() && forHttp.isEmpty()) {
      return none();
    }
    var exempt = new ArrayList<String>();
    exempt.add(".svc");
    exempt.add(".cluster.local");
    exempt.add(environment.getOrDefault("KUBERNETES_SERVICE_HOST", ""));
    exempt.add(value(environment, "NO_PROXY"));
    return new ProxyRules(forHttps, forHttp, NoProxy.parse(String.join(",", exempt))::covers);
  }

  public static ProxyRules none() {
    return new ProxyRules(Optional.empty(), Optional.empty(), (_, _) -> true);
  }

  /// Returns rules that send everything through one proxy, including loopback, for a kubeconfig's
  /// `proxy-url`.
  ///
  /// @throws IllegalArgumentException if the URL is not one of a supported proxy; the message
  ///   leaves out user and password
  public static ProxyRules always(String proxyUrl) {
    var server = Optional.of(ProxyServer.parseProxyUrl(proxyUrl));
    return new ProxyRules(server, server, (_, _) -> false);
  }

  /// Returns the name of the proxy for https, for messages: `http://proxy.corp:3128`.
  public Optional<String> name() {
    return forHttps.map(ProxyServer::name);
  }

  /// Configures a client to follow these rules and no others, such as the JVM's own properties.
  public void applyTo(OkHttpClient.Builder client) {
    if (forHttps.isEmpty() && forHttp.isEmpty()) {
      client.proxy(Proxy.NO_PROXY);
    } else {
      client.proxySelector(this).proxyAuthenticator(this::authenticate);
      forHttps.filter(ProxyServer::isSocks).ifPresent(ProxyRules::logInBySocks);
    }
  }

  /// Sets the JVM-wide authenticator: Java's SOCKS client reads user and password only from there.
  private static void logInBySocks(ProxyServer server) {
    server
        .login()
        .ifPresent(login ->
            Authenticator.setDefault(
                new Authenticator() {
                  @Override
                  protected @Nullable PasswordAuthentication getPasswordAuthentication() {
                    return "SOCKS5".equals(getRequestingProtocol()) ? login : null;
                  }
                }));
  }

  @Override
  public List<Proxy> select(URI uri) {
    var https = "https".equalsIgnoreCase(uri.getScheme());
    var server = https ? forHttps : forHttp;
    var host = uri.getHost();
    if (server.isEmpty() || host == null) {
      return DIRECT;
    }
    var port = uri.getPort() >= 0 ? uri.getPort() : https ? 443 : 80;
    return exempt.covers(host, port) ? DIRECT : server.get().route();
  }

  @Override
  public void connectFailed(URI uri, SocketAddress address, IOException failure) {
    // The call itself fails with this exception, and there is no second proxy to try.
  }

  /// Answers a proxy's challenge once per request: a proxy that rejected the credentials of the URL
  /// would reject them again.
  private @Nullable Request authenticate(@Nullable Route route, Response response) {
    if (route == null || response.request().header("Proxy-Authorization") != null) {
      return null;
    }
    return authorization(route.proxy())
        .map(value -> response.request().newBuilder().header("Proxy-Authorization", value).build())
        .orElse(null);
  }

  private Optional<String> authorization(Proxy proxy) {
    return forHttps
        .filter(server -> server.matches(proxy))
        .or(() -> forHttp.filter(server -> server.matches(proxy)))
        .flatMap(ProxyServer::authorization);
  }

  private static Optional<ProxyServer> proxy(Map<String, String> environment, String variable) {
    var text = value(environment, variable);
    return text.isEmpty() ? Optional.empty() : Optional.of(ProxyServer.parse(variable, text));
  }

  private static String value(Map<String, String> environment, String variable) {
    var lower = environment.getOrDefault(variable.toLowerCase(Locale.ROOT), "").strip();
    return lower.isEmpty() ? environment.getOrDefault(variable, "").strip() : lower;
  }
}
