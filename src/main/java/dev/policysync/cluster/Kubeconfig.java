package dev.policysync.cluster;

import dev.policysync.http.ExchangeLog;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.auth.Authentication;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import java.io.File;
import java.io.IOException;
import java.io.Reader;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Response;

/// A connection as kubeconfig files describe it, with every way to authenticate that the Kubernetes
/// client knows: certificates, tokens, exec plugins, OIDC.
final class Kubeconfig {
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration SILENCE = Duration.ofSeconds(10);

  private final KubeConfig config;
  private final String origin;

  private Kubeconfig(KubeConfig config, String origin) {
    this.config = config;
    this.origin = origin;
  }

  /// Reads one file, or several, of which the first to name a cluster, user or context counts.
  static Kubeconfig of(String paths) {
    var contexts = new ArrayList<Object>();
    var clusters = new ArrayList<Object>();
    var users = new ArrayList<Object>();
    Optional<String> current = Optional.empty();
    Optional<Path> folder = Optional.empty();
    for (var name : paths.split(File.pathSeparator, -1)) {
      var path = Path.of(name);
      if (name.isEmpty() || !Files.exists(path)) {
        continue;
      }
      var file = read(path);
      addAll(contexts, file.getContexts());
      addAll(clusters, file.getClusters());
      addAll(users, file.getUsers());
      current = current.or(() -> Optional.ofNullable(file.getCurrentContext()));
      folder = folder.or(() -> Optional.of(path));
    }
    if (folder.isEmpty()) {
      throw new IllegalArgumentException("no kubeconfig at " + paths);
    }
    var merged = new KubeConfig(contexts, clusters, users);
    merged.setFile(folder.get().toAbsolutePath().toFile());
    current.ifPresent(merged::setContext);
    return new Kubeconfig(merged, paths);
  }

  private static KubeConfig read(Path path) {
    try (Reader reader = Files.newBufferedReader(path)) {
      return KubeConfig.loadKubeConfig(reader);
    } catch (IOException | RuntimeException e) {
      throw new IllegalArgumentException("cannot read the kubeconfig " + path, e);
    }
  }

  private static void addAll(List<Object> all, List<Object> more) {
    if (more != null) {
      all.addAll(more);
    }
  }

  ClusterConnection connect(Optional<String> context) {
    if (context.isPresent() && !config.setContext(context.get())) {
      throw new IllegalArgumentException(
          "the kubeconfig " + origin + " has no context " + context.get());
    }
    try {
      var client = ClientBuilder.kubeconfig(config).build();
      var server = HttpUrl.parse(client.getBasePath());
      if (server == null) {
        throw new IllegalArgumentException(
            "the kubeconfig " + origin + " names no server for its current context");
      }
      var builder =
          client
              .getHttpClient()
              .newBuilder()
              .connectTimeout(CONNECT)
              .readTimeout(SILENCE)
              .writeTimeout(SILENCE)
              .proxy(proxy())
              .addInterceptor(chain -> authenticated(client, chain))
              .addInterceptor(new ExchangeLog());
      var http = builder.build();
      var namespace = Optional.ofNullable(config.getNamespace()).orElse("default");
      return new ClusterConnection(server, http, namespace, () -> end(http));
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "the kubeconfig " + origin + " cannot be used: " + e.getMessage(), e);
    }
  }

  /// The client keeps tokens and exec credentials beside its HTTP client and adds them only to its
  /// own calls; here they are added to every call.
  private static Response authenticated(ApiClient client, Interceptor.Chain chain)
      throws IOException {
    var headers = new HashMap<String, String>();
    try {
      for (Authentication authentication : client.getAuthentications().values()) {
        authentication.applyToParams(
            new ArrayList<>(),
            headers,
            new HashMap<>(),
            "",
            chain.request().method(),
            URI.create(""));
      }
    } catch (ApiException e) {
      throw new IOException("the kubeconfig's credentials cannot be used", e);
    }
    var request = chain.request().newBuilder();
    headers.forEach(request::header);
    return chain.proceed(request.build());
  }

  /// The cluster's `proxy-url`; no other proxy is ever used for the API server.
  private Proxy proxy() {
    var current = currentCluster().get("proxy-url");
    if (!(current instanceof String url) || url.isEmpty()) {
      return Proxy.NO_PROXY;
    }
    var uri = URI.create(url);
    var type = "socks5".equals(uri.getScheme()) ? Proxy.Type.SOCKS : Proxy.Type.HTTP;
    var port = uri.getPort() > 0 ? uri.getPort() : type == Proxy.Type.SOCKS ? 1080 : 80;
    return new Proxy(type, InetSocketAddress.createUnresolved(uri.getHost(), port));
  }

  private Map<?, ?> currentCluster() {
    for (var entry : config.getClusters()) {
      if (entry instanceof Map<?, ?> named
          && named.get("cluster") instanceof Map<?, ?> cluster
          && config.getServer().equals(cluster.get("server"))) {
        return cluster;
      }
    }
    return Map.of();
  }

  private static void end(OkHttpClient http) {
    http.dispatcher().executorService().shutdown();
    http.connectionPool().evictAll();
  }
}
