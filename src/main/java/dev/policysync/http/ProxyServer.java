package dev.policysync.http;

import java.net.InetSocketAddress;
import java.net.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import okhttp3.Credentials;
import okhttp3.HttpUrl;

/// One forward proxy, as a variable names it: `http://user:password@proxy.corp:3128`, or
/// `proxy.corp:3128`. Its port is 80 where none is given.
///
/// @param route the proxy in a list, as a `ProxySelector` answers
/// @param authorization the value of `Proxy-Authorization`, where the URL has a user
record ProxyServer(List<Proxy> route, Optional<String> authorization) {
  private static final String SCHEME_END = "://";

  /// The proxy that this URL names.
  ///
  /// @throws IllegalArgumentException naming the variable; the URL may hold a password and is not
  ///   shown
  static ProxyServer parse(String variable, String text) {
    var url = HttpUrl.parse(text.contains(SCHEME_END) ? text : "http" + SCHEME_END + text);
    if (url == null || url.isHttps()) {
      throw new IllegalArgumentException(
          variable
              + ": expected a proxy URL, e.g. http://user:password@proxy.example:3128"
              + " (only http:// proxies are supported; encode special characters as %XX)");
    }
    var address = InetSocketAddress.createUnresolved(url.host(), url.port());
    var route = List.of(new Proxy(Proxy.Type.HTTP, address));
    return new ProxyServer(route, authorization(url));
  }

  private static Optional<String> authorization(HttpUrl url) {
    if (url.username().isEmpty() && url.password().isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(Credentials.basic(url.username(), url.password(), StandardCharsets.UTF_8));
  }

  boolean is(Proxy proxy) {
    return route.getFirst().equals(proxy);
  }

  @Override
  public String toString() {
    return route.getFirst().toString();
  }
}
