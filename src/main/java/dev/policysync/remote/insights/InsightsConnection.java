package dev.policysync.remote.insights;

import dev.policysync.base.Secret;
import dev.policysync.remote.http.Connections;
import dev.policysync.remote.http.ProxyRules;
import dev.policysync.remote.http.Trust;
import okhttp3.HttpUrl;

/// The API's address, this cluster's name in the API, and the token.
///
/// @param base the API's URL without a trailing slash: `https://insights.fairwinds.com`, or a URL
///   with a path, as behind a gateway
/// @param organization such as `acme`; any text but `.` and `..`, which a URL cannot contain as a
///   path segment
/// @param cluster such as `prod-1`; any text but `.` and `..`
/// @param token the bearer token, sent only to this base's host
public record InsightsConnection(HttpUrl base, String organization, String cluster, Secret token) {
  public InsightsConnection {
    requireSegment("organization", organization);
    requireSegment("cluster", cluster);
  }

  /// Parses the API's URL, ignoring trailing slashes. The settings decide whether plain http is
  /// allowed.
  ///
  /// @throws IllegalArgumentException if the URL is invalid; the message does not show the URL,
  ///   because people write passwords into URLs
  public static InsightsConnection of(
      String host, String organization, String cluster, Secret token) {
    return new InsightsConnection(parseBase(host), organization, cluster, token);
  }

  private static HttpUrl parseBase(String host) {
    var text = host.strip();
    if (!text.contains("://")) {
      throw new IllegalArgumentException(
          "the Insights host has no scheme: expected a URL, e.g. https://insights.fairwinds.com");
    }
    var url = HttpUrl.parse(text);
    if (url == null) {
      throw new IllegalArgumentException(
          "the Insights host must be an http or https URL, e.g. https://insights.fairwinds.com");
    }
    if (!url.username().isEmpty() || !url.password().isEmpty()) {
      throw new IllegalArgumentException(
          "the Insights host must not contain a user or password; only the token is used");
    }
    if (url.query() != null || url.fragment() != null) {
      throw new IllegalArgumentException("the Insights host must not contain a query or fragment");
    }
    return withoutFinalSlashes(url);
  }

  /// Opens connections to the API, with TLS only if its URL is https.
  public Connections open(Trust trust, ProxyRules proxies) {
    return base.isHttps() ? Connections.tls(trust, proxies) : Connections.plain(proxies);
  }

  /// Returns a URL below this cluster: `…/v0/organizations/acme/clusters/prod-1/…`.
  HttpUrl cluster(String segments) {
    return base.newBuilder()
        .addPathSegments("v0/organizations")
        .addPathSegment(organization)
        .addPathSegment("clusters")
        .addPathSegment(cluster)
        .addPathSegments(segments)
        .build();
  }

  private static HttpUrl withoutFinalSlashes(HttpUrl url) {
    var builder = url.newBuilder();
    for (var last = url.pathSize() - 1;
        last > 0 && url.pathSegments().get(last).isEmpty();
        last--) {
      builder.removePathSegment(last);
    }
    return builder.build();
  }

  private static void requireSegment(String what, String text) {
    if (text.isBlank() || text.equals(".") || text.equals("..")) {
      throw new IllegalArgumentException("the " + what + " must not be blank, . or ..");
    }
  }
}
