package dev.policysync.remote.http;

import java.net.InetSocketAddress;
import java.net.PasswordAuthentication;
import java.net.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import okhttp3.Credentials;
import okhttp3.HttpUrl;

/// A forward proxy, as an environment variable or a kubeconfig names it:
/// `http://user:password@proxy.corp:3128`, `proxy.corp:3128`, or `socks5://proxy.corp` (only in a
/// kubeconfig). The default port is 80, or 1080 for SOCKS.
///
/// @param name the proxy's name in messages, without user and password: `http://proxy.corp:3128`
/// @param route a list with only this proxy, as a `ProxySelector` returns it
/// @param login user and password, if the URL has a user or a password
record ProxyServer(String name, List<Proxy> route, Optional<PasswordAuthentication> login) {
  private static final String SCHEME_END = "://";
  private static final String HTTP = "http" + SCHEME_END;
  private static final int SOCKS_PORT = 1080;

  /// Parses the proxy URL in an environment variable.
  ///
  /// @throws IllegalArgumentException if the URL is invalid; the message names the variable and
  ///   does not show the URL, which may contain a password
  static ProxyServer parse(String variable, String text) {
    var url = HttpUrl.parse(text.contains(SCHEME_END) ? text : HTTP + text);
    if (url == null || url.isHttps()) {
      throw new IllegalArgumentException(
          variable
              + ": expected a proxy URL, e.g. http://user:password@proxy.example:3128"
              + " (only http:// proxies are supported; encode special characters as %XX)");
    }
    return of("http", Proxy.Type.HTTP, url, url.port());
  }

  /// Parses a kubeconfig's `proxy-url`. `socks5h` means the same as `socks5`, as in Go: the proxy
  /// resolves the server's host name.
  ///
  /// @throws IllegalArgumentException if the URL is not supported; the message leaves out user and
  ///   password
  static ProxyServer parseProxyUrl(String text) {
    var end = text.indexOf(SCHEME_END);
    var scheme = end < 0 ? "" : text.substring(0, end).toLowerCase(Locale.ROOT);
    var rest = text.substring(Math.max(0, end + (end < 0 ? 0 : SCHEME_END.length())));
    var url = HttpUrl.parse(HTTP + rest);
    if (url == null || end < 0) {
      throw new IllegalArgumentException(
          "proxy-url: expected http://, socks5:// or socks5h:// and a host, e.g."
              + " http://user:password@proxy.example:3128 (special characters are"
              + " percent-encoded)");
    }
    // The default port depends on the scheme: a port that is the same for both schemes is in the
    // URL.
    var given = HttpUrl.get("https" + SCHEME_END + rest).port() == url.port();
    return switch (scheme) {
      case "http" -> of(scheme, Proxy.Type.HTTP, url, url.port());
      case "socks5", "socks5h" ->
          of(scheme, Proxy.Type.SOCKS, url, given ? url.port() : SOCKS_PORT);
      default ->
          throw new IllegalArgumentException(
              "proxy-url: the proxy "
                  + name(scheme, url, given ? url.port() : -1)
                  + " is not supported; use http://, socks5:// or socks5h://");
    };
  }

  private static ProxyServer of(String scheme, Proxy.Type type, HttpUrl url, int port) {
    var address = InetSocketAddress.createUnresolved(url.host(), port);
    var login =
        url.username().isEmpty() && url.password().isEmpty()
            ? Optional.<PasswordAuthentication>empty()
            : Optional.of(new PasswordAuthentication(url.username(), url.password().toCharArray()));
    return new ProxyServer(name(scheme, url, port), List.of(new Proxy(type, address)), login);
  }

  private static String name(String scheme, HttpUrl url, int port) {
    var host = url.host().contains(":") ? "[" + url.host() + "]" : url.host();
    return scheme + SCHEME_END + host + (port < 0 ? "" : ":" + port);
  }

  Optional<String> authorization() {
    return login.map(known ->
        Credentials.basic(
            known.getUserName(), String.valueOf(known.getPassword()), StandardCharsets.UTF_8));
  }

  boolean matches(Proxy proxy) {
    return route.getFirst().equals(proxy);
  }

  boolean isSocks() {
    return route.getFirst().type() == Proxy.Type.SOCKS;
  }

  @Override
  public String toString() {
    return name;
  }
}
