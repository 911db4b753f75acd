package dev.policysync.remote.cluster;

import dev.policysync.base.Value;
import dev.policysync.remote.http.ProxyRules;
import dev.policysync.remote.http.Trust;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import okhttp3.HttpUrl;
import org.jspecify.annotations.Nullable;

/// The server of a kubeconfig's cluster, and how it proves its identity.
///
/// @param insecure whether the server's certificate is not verified
/// @param authority the certificate authority in PEM; if empty, Java's own roots and
///   `SSL_CERT_FILE`
/// @param tlsServerName the host name in the server's certificate, if not the host of its URL
/// @param proxies the cluster's `proxy-url`; no other proxy is ever used for the API server
record ClusterServer(
    ConfigSection cluster,
    String server,
    boolean insecure,
    Optional<ConfigSection.Found> authority,
    Optional<String> tlsServerName,
    ProxyRules proxies) {
  private static final String EXEC_EXTENSION = "client.authentication.k8s.io/exec";

  /// @throws IllegalArgumentException if the section is invalid
  static ClusterServer parse(ConfigSection cluster) {
    var server =
        cluster
            .text("server")
            .orElseThrow(() -> new IllegalArgumentException(cluster.name() + " has no server"));
    var insecure = cluster.flag("insecure-skip-tls-verify");
    var authority = cluster.dataOrFile("certificate-authority");
    if (insecure && authority.isPresent()) {
      throw new IllegalArgumentException(
          cluster.name()
              + " has both a certificate-authority and insecure-skip-tls-verify; only one is"
              + " allowed");
    }
    var proxies =
        cluster
            .text("proxy-url")
            .map(url -> proxies(url, cluster.name()))
            .orElseGet(ProxyRules::none);
    return new ClusterServer(
        cluster, server, insecure, authority, cluster.text("tls-server-name"), proxies);
  }

  private static ProxyRules proxies(String url, String cluster) {
    try {
      return ProxyRules.always(url);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(cluster + ": " + e.getMessage(), e);
    }
  }

  /// Returns the server's URL. Without a scheme it is https if the kubeconfig mentions
  /// certificates, as for kubectl.
  HttpUrl url(boolean clientCertificate) {
    var tls = insecure || authority.isPresent() || clientCertificate;
    var url =
        HttpUrl.parse(server.contains("://") ? server : (tls ? "https://" : "http://") + server);
    if (url == null) {
      throw new IllegalArgumentException(
          cluster.name("server") + " is not a valid URL; expected e.g. https://10.0.0.1:6443");
    }
    return url;
  }

  Trust trust(Map<String, String> environment) {
    if (insecure) {
      return Trust.anyone();
    }
    return authority
        .map(found -> Trust.only(found.text(), found.origin()))
        .orElseGet(() -> Trust.fromEnvironment(environment));
  }

  /// Returns the cluster's data for a credential plugin that requests it: the cluster as in the
  /// kubeconfig, with the content of the authority's file, and the cluster's extension for plugins.
  Value.Mapping execInfo(HttpUrl url) {
    var info = new LinkedHashMap<String, Value>();
    info.put("server", new Value.Text(server.contains("://") ? server : url.toString()));
    tlsServerName.ifPresent(name -> info.put("tls-server-name", new Value.Text(name)));
    if (insecure) {
      info.put("insecure-skip-tls-verify", new Value.Bool(true));
    }
    authority.ifPresent(found ->
        info.put(
            "certificate-authority-data",
            new Value.Text(
                Base64.getEncoder()
                    .encodeToString(found.text().getBytes(StandardCharsets.ISO_8859_1)))));
    cluster.text("proxy-url").ifPresent(proxy -> info.put("proxy-url", new Value.Text(proxy)));
    if (cluster.flag("disable-compression")) {
      info.put("disable-compression", new Value.Bool(true));
    }
    for (var extension : cluster.list("extensions")) {
      if (extension instanceof Map<?, ?> fields && EXEC_EXTENSION.equals(fields.get("name"))) {
        info.put("config", value(fields.get("extension")));
      }
    }
    return new Value.Mapping(info);
  }

  private static Value value(@Nullable Object yaml) {
    return switch (yaml) {
      case null -> Value.Null.NULL;
      case Map<?, ?> map -> {
        var fields = new LinkedHashMap<String, Value>();
        map.forEach((name, field) -> fields.put(String.valueOf(name), value(field)));
        yield new Value.Mapping(fields);
      }
      case Iterable<?> items -> {
        var values = new ArrayList<Value>();
        items.forEach(item -> values.add(value(item)));
        yield new Value.Sequence(values);
      }
      case Boolean flag -> new Value.Bool(flag);
      case BigInteger number -> Value.Numeric.of(number);
      case Integer number -> Value.Numeric.of((long) number);
      case Long number -> Value.Numeric.of((long) number);
      case Double number -> Value.Numeric.of((double) number);
      default -> new Value.Text(yaml.toString());
    };
  }
}
