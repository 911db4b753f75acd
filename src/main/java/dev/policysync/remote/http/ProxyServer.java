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

/// One forward proxy, as a variable or a kubeconfig names it:
/// `http://user:password@proxy.corp:3128`, `proxy.corp:3128` or, in a kubeconfig alone,
/// `socks5://proxy.corp`. Its port is 80 where none is given, or 1080 for SOCKS.
///
/// @param name what messages call it, without user and password: `http://proxy.corp:3128`
/// @param route the proxy in a list, as a `ProxySelector` answers
/// @param login user and password, where the URL has a user
record ProxyServer(String name, List<Proxy> route, Optional<PasswordAuthentication> login) {
  private static final String SCHEME_END = "://";
  private static final String HTTP = "http" + SCHEME_END;
  private static final int SOCKS_PORT = 1080;

  /// The proxy that this URL names.
  ///
  /// @throws IllegalArgumentException naming the variable; the URL may hold a password and is not
  ///   shown
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

  /// The proxy of a kubeconfig's `proxy-url`. `socks5h` is the same as `socks5`, as in Go: the
  /// proxy looks up the name of the server.
  ///
  /// @throws IllegalArgumentException if it is none, without its user and password
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
    // A port that is not given depends on the scheme.
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

  /// The value of `Proxy-Authorization`, where there is a login.
  Optional<String> authorization() {
    return login.map(known ->
        Credentials.basic(
            known.getUserName(), String.valueOf(known.getPassword()), StandardCharsets.UTF_8));
  }

  boolean is(Proxy proxy) {
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
