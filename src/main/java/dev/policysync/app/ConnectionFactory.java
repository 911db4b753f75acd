package dev.policysync.app;

import dev.policysync.cli.ProgramVersion;
import dev.policysync.cli.Terminal;
import dev.policysync.cli.settings.ApiSettings;
import dev.policysync.cli.settings.InvalidSettings;
import dev.policysync.cli.settings.Settings;
import dev.policysync.remote.cluster.ClusterAccess;
import dev.policysync.remote.cluster.ClusterConnection;
import dev.policysync.remote.cluster.lease.AgentNamespaceSearch;
import dev.policysync.remote.http.Connections;
import dev.policysync.remote.http.ProxyRules;
import dev.policysync.remote.http.Trust;
import dev.policysync.remote.insights.InsightsConnection;
import dev.policysync.sync.AgentNamespace;
import dev.policysync.sync.RunId;
import dev.policysync.sync.execution.Cancellation;
import dev.policysync.sync.execution.StopReason;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The connections of one run: both bear its id, keep to its time, and are broken off together.
final class ConnectionFactory {
  private final Map<String, String> environment;
  private final Cancellation stop;
  private final RunId id;
  private final AtomicReference<@Nullable Connections> apiInUse = new AtomicReference<>();
  private final AtomicReference<@Nullable Connections> metricsInUse = new AtomicReference<>();
  private final AtomicReference<@Nullable ClusterConnection> clusterInUse = new AtomicReference<>();

  /// @param environment the variables, where pinned settings have won
  ConnectionFactory(Map<String, String> environment, Cancellation stop, RunId id) {
    this.environment = environment;
    this.stop = stop;
    this.id = id;
  }

  /// The way to the cluster that the settings choose.
  ///
  /// @throws InvalidSettings if there is none
  ClusterConnection cluster(Settings settings) {
    var cluster =
        asked(() ->
            new ClusterAccess(environment, settings.kubeconfig(), settings.context())
                .impersonating(settings.impersonate())
                .asking(mayAsk(settings))
                .connect()
                .as("policy-sync/" + ProgramVersion.text() + " (run " + id + ")")
                .tracing(id.traceparent())
                .with(stop));
    clusterInUse.set(cluster);
    cancelIfLate();
    return cluster;
  }

  /// The agent's namespace: as set, else found in the cluster.
  static AgentNamespace agentNamespace(Settings settings, ClusterConnection cluster) {
    return settings
        .namespace()
        .map(name -> new AgentNamespace(name, "set by NAMESPACE or --namespace"))
        .orElseGet(() -> new AgentNamespaceSearch(cluster).find());
  }

  /// Where policies come from standard input, it is no place to ask for a password.
  private static boolean mayAsk(Settings settings) {
    return Terminal.onStdin() && settings.from().filter("-"::equals).isEmpty();
  }

  /// What the API is called with.
  ///
  /// @throws InvalidSettings if the trust or the proxy that is asked for cannot be had
  Connections connections(ApiSettings apiSettings) {
    var connections =
        asked(() ->
            insights(apiSettings)
                .open(Trust.fromEnvironment(environment), ProxyRules.fromEnvironment(environment))
                .identifying(id.text())
                .tracing(id.traceparent()));
    apiInUse.set(connections);
    cancelIfLate();
    return connections;
  }

  /// What a Pushgateway is called with, also to be told that the run's time was over.
  ///
  /// @throws InvalidSettings if the trust or the proxy that is asked for cannot be had
  Connections metrics(URI url) {
    var connections =
        asked(() -> {
          var proxies = ProxyRules.fromEnvironment(environment);
          return url.getScheme().equalsIgnoreCase("https")
              ? Connections.tls(Trust.fromEnvironment(environment), proxies)
              : Connections.plain(proxies);
        });
    metricsInUse.set(connections);
    if (stop.reason().equals(Optional.of(StopReason.SIGNAL))) {
      connections.cancel();
    }
    return connections;
  }

  /// Where the API is and who we are to it.
  static InsightsConnection insights(ApiSettings apiSettings) {
    return asked(() ->
        InsightsConnection.of(
            apiSettings.host().toString(),
            apiSettings.organization(),
            apiSettings.cluster(),
            apiSettings.token()));
  }

  /// Breaks off what waits for the remote API and what is read from the cluster; a write under way
  /// may end by itself.
  ///
  /// @return breaks off that write, too
  Runnable cancelReads() {
    for (var inUse : List.of(apiInUse, metricsInUse)) {
      var connections = inUse.get();
      if (connections != null) {
        connections.cancel();
      }
    }
    var cluster = clusterInUse.get();
    return cluster == null ? () -> {} : cluster.cancelReads();
  }

  /// A signal may come before there is anything to cancel.
  private void cancelIfLate() {
    if (stop.reason().isPresent()) {
      var _ = cancelReads();
    }
  }

  /// What the user asked for cannot be had: his to mend, like any wrong setting.
  private static <T> T asked(Supplier<T> what) {
    try {
      return what.get();
    } catch (IllegalArgumentException e) {
      throw new InvalidSettings(List.of(String.valueOf(e.getMessage())));
    }
  }
}
