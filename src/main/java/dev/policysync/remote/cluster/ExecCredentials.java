package dev.policysync.remote.cluster;

import dev.policysync.base.Secret;
import dev.policysync.remote.http.ClientIdentity;
import dev.policysync.remote.http.Connections;
import dev.policysync.remote.http.Connections.Presenting;
import dev.policysync.sync.execution.Cancellation;
import dev.policysync.sync.execution.TimeBudget;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import okhttp3.Interceptor;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/// Sends each request with the credential of a plugin. The plugin runs before the first request,
/// when its credential has expired, and once more if the API server rejects the credential.
///
/// A plugin that failed is not run again: every request fails with the plugin's failure, and none
/// is sent without a credential.
final class ExecCredentials implements CredentialSource, Interceptor {
  private final ExecPlugin plugin;
  private final Function<ClientIdentity, Presenting> presenting;
  private final Clock clock;
  private @Nullable Ready ready;
  private Unreachable.@Nullable Explained failure;
  private TimeBudget latest = new Cancellation(Duration.ofDays(1), System::nanoTime);
  private boolean refused;

  private static final class Ready {
    private final ExecCredential credential;
    private final Optional<Presenting> presenting;

    private Ready(ExecCredential credential, Optional<Presenting> presenting) {
      this.credential = credential;
      this.presenting = presenting;
    }

    private Response send(Chain chain) throws IOException {
      var request = chain.request().newBuilder().tag(Ready.class, this);
      credential
          .token()
          .map(Secret::reveal)
          .ifPresent(token -> request.header("Authorization", "Bearer " + token));
      var own = presenting.map(way -> way.over(chain)).orElse(chain);
      return own.proceed(request.build());
    }
  }

  ExecCredentials(ExecPlugin plugin, Connections connections, Clock clock) {
    this.plugin = plugin;
    this.presenting = connections::presenting;
    this.clock = clock;
  }

  @Override
  public synchronized void await(TimeBudget timeBudget) throws IOException {
    latest = timeBudget;
    var _ = current();
  }

  @Override
  public Response intercept(Chain chain) throws IOException {
    var first = current();
    var response = first.send(chain);
    if (response.code() != 401) {
      return response;
    }
    var other = replace(first);
    if (other.isEmpty()) {
      return response;
    }
    response.close();
    return other.get().send(chain);
  }

  /// Closes the connection of a rejected client certificate: OkHttp sends a repeated call over its
  /// old connection, even with other TLS sockets. For a network interceptor.
  Response endIfRefused(Chain chain) throws IOException {
    var response = chain.proceed(chain.request());
    var used = chain.request().tag(Ready.class);
    var connection = chain.connection();
    if (response.code() == 401
        && connection != null
        && used != null
        && used.presenting.isPresent()
        && mayBeReplaced(used)) {
      connection.socket().close();
    }
    return response;
  }

  private synchronized boolean mayBeReplaced(Ready used) {
    return ready != used || !refused;
  }

  private synchronized Ready current() throws IOException {
    if (ready == null || ready.credential.expiredAt(clock.instant())) {
      ready = run();
    }
    return ready;
  }

  /// Returns a credential to replace the rejected one; empty if the plugin was already run for a
  /// replacement.
  private synchronized Optional<Ready> replace(Ready old) throws IOException {
    if (ready == old) {
      if (refused) {
        return Optional.empty();
      }
      refused = true;
      ready = run();
    }
    return Optional.ofNullable(ready);
  }

  private Ready run() throws IOException {
    if (failure != null) {
      throw failure;
    }
    try {
      var credential = plugin.run(latest);
      return new Ready(credential, credential.identity().map(presenting));
    } catch (Unreachable.Explained e) {
      failure = e;
      throw e;
    }
  }
}
