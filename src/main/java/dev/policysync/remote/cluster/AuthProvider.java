package dev.policysync.remote.cluster;

import dev.policysync.base.Secret;
import dev.policysync.sync.execution.TimeBudget;
import io.kubernetes.client.util.KubeConfig;
import java.io.IOException;
import okhttp3.Interceptor;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/// Signs each request with the token of a kubeconfig's `auth-provider`, such as `oidc`. The
/// Kubernetes client gets the token.
final class AuthProvider implements CredentialSource, Interceptor {
  private final KubeConfig config;
  private final String name;
  private @Nullable Secret token;

  AuthProvider(KubeConfig config, String name) {
    this.config = config;
    this.name = name;
  }

  @Override
  public void await(TimeBudget timeBudget) throws IOException {
    var _ = token();
  }

  @Override
  public Response intercept(Chain chain) throws IOException {
    return chain.proceed(
        chain.request().newBuilder().header("Authorization", "Bearer " + token().reveal()).build());
  }

  private synchronized Secret token() throws IOException {
    if (token == null) {
      token = get();
    }
    return token;
  }

  private Secret get() throws IOException {
    try {
      var credentials = config.getCredentials();
      var given = credentials == null ? null : credentials.get(KubeConfig.CRED_TOKEN_KEY);
      if (given != null) {
        return Secret.of(given);
      }
    } catch (RuntimeException e) {
      throw failure("no token (" + e.getClass().getSimpleName() + ")", e);
    }
    throw failure("no token; oidc and gcp are supported, others as an exec plugin", null);
  }

  /// Makes an exception with our own message, because the client's message may quote a token.
  private Unreachable.Explained failure(String what, @Nullable RuntimeException cause) {
    var message = "the kubeconfig's auth-provider " + name + " gave " + what;
    return cause == null
        ? new Unreachable.Explained(message)
        : new Unreachable.Explained(message, cause);
  }
}
