package dev.policysync.cluster.connection;

import dev.policysync.cluster.error.Unreachable;
import dev.policysync.http.DeadConnections;
import dev.policysync.http.ExchangeLog;
import dev.policysync.http.Secret;
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
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/// A connection as kubeconfig files describe it, with every way to authenticate that the Kubernetes
/// client knows: certificates, tokens, exec plugins, OIDC.
final class Kubeconfig {
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration SILENCE = Duration.ofSeconds(10);

  /// The fields that hold a path.
  private static final Set<String> FILES =
      Set.of("certificate-authority", "client-certificate", "client-key", "tokenFile");

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
    Optional<Path> first = Optional.empty();
    for (var name : paths.split(File.pathSeparator, -1)) {
      var path = Path.of(name).toAbsolutePath();
      if (name.isEmpty() || !Files.exists(path)) {
        continue;
      }
      var file = read(path);
      addAll(contexts, file.getContexts(), path);
      addAll(clusters, file.getClusters(), path);
      addAll(users, file.getUsers(), path);
      current =
          current.or(() ->
              Optional.ofNullable(file.getCurrentContext()).filter(context -> !context.isEmpty()));
      first = first.or(() -> Optional.of(path));
    }
    if (first.isEmpty()) {
      throw new IllegalArgumentException("kubeconfig not found: " + paths);
    }
    var merged = new KubeConfig(contexts, clusters, users);
    merged.setFile(first.get().toFile());
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

  private static void addAll(List<Object> all, @Nullable List<Object> more, Path file) {
    for (var entry : more == null ? List.of() : more) {
      all.add(besideItsFile(entry, file));
    }
  }

  /// A relative path stands for a file beside the kubeconfig that has it, whichever of several that
  /// is; the client takes it for one beside the first.
  private static Object besideItsFile(Object entry, Path file) {
    if (!(entry instanceof Map<?, ?> fields)) {
      return entry;
    }
    var resolved = new LinkedHashMap<Object, Object>();
    fields.forEach((name, value) ->
        resolved.put(
            name,
            FILES.contains(name) && value instanceof String path && !path.isEmpty()
                ? file.resolveSibling(path).toString()
                : besideItsFile(value, file)));
    return resolved;
  }

  /// @param impersonated instead of the user whom the kubeconfig says to act as
  ClusterConnection connect(Optional<String> context, Optional<String> impersonated) {
    if (context.isPresent() && !config.setContext(context.get())) {
      throw new IllegalArgumentException(
          "the kubeconfig " + origin + " has no context " + context.get());
    }
    var impersonation =
        impersonated
            .map(Impersonation::of)
            .orElseGet(() -> Impersonation.of(origin, currentUser()));
    try {
      var client = ClientBuilder.kubeconfig(config).build();
      var server = HttpUrl.get(client.getBasePath());
      var builder =
          client
              .getHttpClient()
              .newBuilder()
              .connectTimeout(CONNECT)
              .readTimeout(SILENCE)
              .writeTimeout(SILENCE)
              .proxy(proxy())
              .addInterceptor(chain -> authenticated(client, chain))
              .addInterceptor(impersonation)
              .addInterceptor(new ExchangeLog());
      var pool = client.getHttpClient().connectionPool();
      var http = DeadConnections.noticedBy(builder, pool).build();
      var namespace = Optional.ofNullable(config.getNamespace()).filter(name -> !name.isEmpty());
      var origin = new ClusterConnection.Origin.Kubeconfig(namespace);
      return new ClusterConnection(server, http, origin, () -> end(http));
    } catch (IOException | RuntimeException e) {
      throw new IllegalArgumentException(
          "the kubeconfig " + origin + " cannot be used: " + reason(e), e);
    }
  }

  /// In our own words, since the client's may quote a key or a token.
  private String reason(Exception failure) {
    if (config.getServer() == null) {
      return "the cluster has no server";
    }
    if (failure instanceof NoSuchFileException missing) {
      return "file not found: " + missing.getFile();
    }
    return "the server is not a valid URL, or a certificate, key or credential cannot be read ("
        + failure.getClass().getSimpleName()
        + ")";
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
      throw new Unreachable.Explained("the kubeconfig's credentials cannot be used", e);
    }
    var request = chain.request().newBuilder();
    try {
      headers.forEach((name, value) -> request.header(name, Secret.of(value).reveal()));
    } catch (IllegalArgumentException e) {
      throw new Unreachable.Explained("a credential of the kubeconfig " + e.getMessage(), e);
    }
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

  /// The user of the chosen context.
  private Map<?, ?> currentUser() {
    var context = named(config.getContexts(), config.getCurrentContext(), "context");
    return named(config.getUsers(), context.get("user"), "user");
  }

  private static Map<?, ?> named(
      @Nullable List<Object> entries, @Nullable Object name, String field) {
    for (var entry : entries == null ? List.of() : entries) {
      if (entry instanceof Map<?, ?> fields
          && fields.get("name") instanceof String text
          && text.equals(name)
          && fields.get(field) instanceof Map<?, ?> named) {
        return named;
      }
    }
    return Map.of();
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
