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
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Opens the connections of one run. The connections to the API and to the cluster carry the run's
/// id and obey its time limit. A signal cancels all connections together.
final class ConnectionFactory {
  private final Map<String, String> environment;
  private final Cancellation stop;
  private final RunId id;
  private final Consumer<String> announce;
  private final AtomicReference<@Nullable Connections> apiInUse = new AtomicReference<>();
  private final AtomicReference<@Nullable Connections> metricsInUse = new AtomicReference<>();
  private final AtomicReference<@Nullable ClusterConnection> clusterInUse = new AtomicReference<>();

  /// @param environment the environment variables, overridden by the pinned settings
  /// @param announce tells a person which cluster and which API a command is about to use
  ConnectionFactory(
      Map<String, String> environment, Cancellation stop, RunId id, Consumer<String> announce) {
    this.environment = environment;
    this.stop = stop;
    this.id = id;
    this.announce = announce;
  }

  /// Connects to the cluster that the settings choose.
  ///
  /// @throws InvalidSettings if the settings lead to no cluster
  ClusterConnection cluster(Settings settings) {
    var cluster =
        validated(() ->
            new ClusterAccess(
                    environment, settings.cluster().kubeconfig(), settings.cluster().context())
                .impersonating(settings.cluster().impersonate())
                .withTerminal(mayPromptForPassword(settings))
                .connect()
                .withUserAgent("policy-sync/" + ProgramVersion.text() + " (run " + id + ")")
                .tracing(id.traceparent())
                .withTimeBudget(stop));
    clusterInUse.set(cluster);
    announce.accept("Cluster: " + cluster.text());
    cancelIfLate();
    return cluster;
  }

  /// Returns the agent's namespace: the configured one, otherwise the one found in the cluster.
  static AgentNamespace agentNamespace(Settings settings, ClusterConnection cluster) {
    return settings
        .cluster()
        .namespace()
        .map(name -> new AgentNamespace(name, "set by NAMESPACE or --namespace"))
        .orElseGet(() -> new AgentNamespaceSearch(cluster).find());
  }

  /// Returns whether a password may be asked for on standard input. If the policies come from
  /// standard input, it may not.
  private static boolean mayPromptForPassword(Settings settings) {
    return Terminal.onStdin() && settings.from().filter("-"::equals).isEmpty();
  }

  /// Opens the connections to the API.
  ///
  /// @throws InvalidSettings if the configured certificates or proxy cannot be used
  Connections connections(ApiSettings apiSettings) {
    var connections =
        validated(() ->
            insights(apiSettings)
                .open(Trust.fromEnvironment(environment), ProxyRules.fromEnvironment(environment))
                .identifying(id.text())
                .tracing(id.traceparent()));
    apiInUse.set(connections);
    announce.accept(
        "API: "
            + apiSettings.organization()
            + "/"
            + apiSettings.cluster()
            + " at "
            + apiSettings.host());
    cancelIfLate();
    return connections;
  }

  /// Opens the connections to a Pushgateway. They stay usable after the run's timeout, so that a
  /// run can report its timeout; only a signal cancels them.
  ///
  /// @throws InvalidSettings if the configured certificates or proxy cannot be used
  Connections metrics(URI url) {
    var connections =
        validated(() -> {
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

  /// Returns the API's address together with this cluster's identity and token.
  static InsightsConnection insights(ApiSettings apiSettings) {
    return validated(() ->
        InsightsConnection.of(
            apiSettings.host().toString(),
            apiSettings.organization(),
            apiSettings.cluster(),
            apiSettings.token()));
  }

  /// Cancels calls to the API and the Pushgateway, and reads from the cluster. A write in progress
  /// may finish.
  ///
  /// @return cancels that write, too
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

  /// Cancels a connection that was opened after the run was told to stop.
  private void cancelIfLate() {
    if (stop.reason().isPresent()) {
      var _ = cancelReads();
    }
  }

  /// Runs `what` and turns an `IllegalArgumentException` into an invalid setting, because the user
  /// can correct it.
  private static <T> T validated(Supplier<T> what) {
    try {
      return what.get();
    } catch (IllegalArgumentException e) {
      throw new InvalidSettings(List.of(String.valueOf(e.getMessage())));
    }
  }
}
