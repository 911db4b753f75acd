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

/// Which requests go through which proxy, by `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, which Java
/// itself ignores. Of a variable in both spellings the lower-case one wins; an empty one is unset.
///
/// The rules of `NO_PROXY` are Go's, as the agent before this one and most cluster components have
/// them (`golang.org/x/net/http/httpproxy`). Never proxied, whatever the variables say: loopback,
/// `*.svc`, `*.cluster.local`, and the API server's address as a pod knows it.
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

  /// The rules in these variables.
  ///
  /// @throws IllegalArgumentException if a proxy's URL is wrong, naming the variable only: the URL
  ///   may hold a password
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

  /// No proxy for anything.
  public static ProxyRules none() {
    return new ProxyRules(Optional.empty(), Optional.empty(), (_, _) -> true);
  }

  /// One proxy for everything, loopback included, as a kubeconfig's `proxy-url` asks for.
  ///
  /// @throws IllegalArgumentException if the URL names no proxy that is supported, without its user
  ///   and password
  public static ProxyRules always(String proxyUrl) {
    var server = Optional.of(ProxyServer.parseProxyUrl(proxyUrl));
    return new ProxyRules(server, server, (_, _) -> false);
  }

  /// The only proxy, as messages name it: `http://proxy.corp:3128`.
  public Optional<String> name() {
    return forHttps.map(ProxyServer::name);
  }

  /// Makes a client obey these rules and no others, such as the JVM's own properties.
  public void applyTo(OkHttpClient.Builder client) {
    if (forHttps.isEmpty() && forHttp.isEmpty()) {
      client.proxy(Proxy.NO_PROXY);
    } else {
      client.proxySelector(this).proxyAuthenticator(this::authenticate);
      forHttps.filter(ProxyServer::isSocks).ifPresent(ProxyRules::logInBySocks);
    }
  }

  /// Java's SOCKS has no other place to take a user and password from.
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
    // The call itself fails with this exception, and there is no second proxy to turn to.
  }

  /// Once per request: a proxy that refuses what the URL says would refuse it again.
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
        .filter(server -> server.is(proxy))
        .or(() -> forHttp.filter(server -> server.is(proxy)))
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
