package dev.policysync.remote.cluster;

import dev.policysync.base.Secret;
import dev.policysync.remote.http.ClientIdentity;
import dev.policysync.remote.http.Connections;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import okhttp3.Credentials;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;

/// Connects to the cluster of a kubeconfig's context as its user, as kubectl does. It uses the
/// cluster's own proxy or none, a client certificate if there is one, and one of token, basic
/// authentication, credential plugin and `auth-provider`.
final class KubeconfigConnector {
  private static final Set<String> CREDENTIALS =
      Set.of(
          "token",
          "tokenFile",
          "username",
          "password",
          "client-certificate",
          "client-certificate-data",
          "auth-provider",
          "exec");

  private static final Set<String> OTHERS =
      Set.of(
          "client-key",
          "client-key-data",
          "as",
          "as-uid",
          "as-groups",
          "as-user-extra",
          "extensions");

  private final Map<String, String> environment;
  private final boolean terminal;

  /// @param terminal whether a user at a terminal can be asked to log in
  KubeconfigConnector(Map<String, String> environment, boolean terminal) {
    this.environment = environment;
    this.terminal = terminal;
  }

  private record Signature(Interceptor interceptor, CredentialSource source) {
    private static final Signature NONE =
        new Signature(chain -> chain.proceed(chain.request()), CredentialSource.IMMEDIATE);

    private static Signature header(String value) {
      return new Signature(
          chain ->
              chain.proceed(chain.request().newBuilder().header("Authorization", value).build()),
          CredentialSource.IMMEDIATE);
    }
  }

  /// Prepares a connection; nothing is sent yet, and no plugin runs.
  ///
  /// @throws IllegalArgumentException if a field is invalid; the message names the field and quotes
  ///   no credential
  ClusterConnection connect(Kubeconfig.Context context, Impersonation impersonation) {
    var server = ClusterServer.parse(context.cluster());
    var identity = identity(context.user());
    var url = server.url(identity.isPresent());
    var connections =
        Connections.tls(server.trust(environment), server.proxies())
            .expecting(server.tlsServerName());
    var signature = signature(context, server, url, identity.isPresent(), connections);
    var client = connections.client().newBuilder();
    server.proxies().name().ifPresent(proxy -> client.addInterceptor(naming(proxy)));
    identity.ifPresent(own -> client.addInterceptor(presenting(own, connections)));
    client.addInterceptor(signature.interceptor()).addInterceptor(impersonation);
    if (signature.interceptor() instanceof ExecCredentials plugin) {
      client.addNetworkInterceptor(plugin::endIfRefused);
    }
    var origin = new ClusterConnection.Origin.Kubeconfig(context.name(), context.namespace());
    return new ClusterConnection(
        url, client.build(), origin, signature.source(), connections::close);
  }

  private static Interceptor naming(String proxy) {
    return chain -> {
      try {
        return chain.proceed(chain.request());
      } catch (IOException e) {
        throw new ProxyFailure(e, proxy);
      }
    };
  }

  private static Interceptor presenting(ClientIdentity identity, Connections connections) {
    var way = connections.presenting(identity);
    return chain -> {
      var response = way.over(chain).proceed(chain.request());
      var invalid = identity.invalidAt(Clock.systemUTC().instant());
      if (response.code() == 401 && invalid.isPresent()) {
        response.close();
        throw new Unreachable.Explained(
            "HTTP 401, and the kubeconfig's client certificate " + invalid.get());
      }
      return response;
    };
  }

  private static Optional<ClientIdentity> identity(ConfigSection user) {
    var certificate = user.dataOrFile("client-certificate");
    var key = user.dataOrFile("client-key");
    if (certificate.isPresent() && key.isEmpty()) {
      throw new IllegalArgumentException(user.name("client-key") + " is missing");
    }
    return certificate.map(found ->
        ClientIdentity.parse(
            found.text(), found.origin(), key.orElseThrow().text(), key.orElseThrow().origin()));
  }

  /// Chooses one of several credentials as kubectl does: a token or basic authentication takes
  /// precedence over a plugin. With either of these, or with a client certificate, the plugin does
  /// not run.
  private Signature signature(
      Kubeconfig.Context context,
      ClusterServer server,
      HttpUrl url,
      boolean hasCertificate,
      Connections connections) {
    var user = context.user();
    var bearer = bearer(user);
    var basic = basic(user);
    var exec = user.section("exec");
    var provider = user.section("auth-provider");
    if (bearer.isPresent() && basic.isPresent()) {
      throw new IllegalArgumentException(
          user.name() + " has both a token and a username; only one is allowed");
    }
    if (exec.isPresent() && provider.isPresent()) {
      throw new IllegalArgumentException(
          user.name() + " has both exec and auth-provider; only one is allowed");
    }
    if (bearer.or(() -> basic).isPresent()) {
      return bearer.or(() -> basic).get();
    }
    if (provider.isPresent()) {
      var credentials =
          new AuthProvider(context.config(), provider.get().text("name").orElse("without a name"));
      return new Signature(credentials, credentials);
    }
    if (exec.isPresent() && !hasCertificate) {
      var plugin = ExecPlugin.parse(exec.get(), server.execInfo(url), terminal);
      var credentials = new ExecCredentials(plugin, connections, Clock.systemUTC());
      return new Signature(credentials, credentials);
    }
    requireKnown(user);
    return Signature.NONE;
  }

  /// Prefers a readable token file to a token, because the token is as old as the kubeconfig.
  private static Optional<Signature> bearer(ConfigSection user) {
    var token = user.text("token");
    var file = user.text("tokenFile").map(Path::of);
    if (file.isPresent() && (token.isEmpty() || Files.isReadable(file.get()))) {
      var name = "the kubeconfig's tokenFile";
      var _ = ConfigSection.read(file.get().toString(), user.name("tokenFile"));
      return Optional.of(
          new Signature(new TokenFile(file.get(), name), CredentialSource.IMMEDIATE));
    }
    return token.map(text -> {
      try {
        return Signature.header("Bearer " + Secret.of(text).reveal());
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(user.name("token") + " " + e.getMessage(), e);
      }
    });
  }

  private static Optional<Signature> basic(ConfigSection user) {
    var name = user.text("username");
    var password = user.text("password");
    return name.or(() -> password).isEmpty()
        ? Optional.empty()
        : Optional.of(
            Signature.header(
                Credentials.basic(name.orElse(""), password.orElse(""), StandardCharsets.UTF_8)));
  }

  /// Rejects a user that has only unknown fields. A user without fields is anonymous on purpose, as
  /// behind `kubectl proxy`. A user with an unknown kind of credential must not connect as
  /// anonymous.
  private static void requireKnown(ConfigSection user) {
    if (user.fields().keySet().stream().noneMatch(CREDENTIALS::contains)
        && !OTHERS.containsAll(user.fields().keySet())) {
      throw new IllegalArgumentException(
          user.name()
              + " has no credential that is known; expected one of "
              + String.join(", ", CREDENTIALS.stream().sorted().toList()));
    }
  }
}
