package dev.policysync;

import dev.policysync.cli.Version;
import dev.policysync.cluster.ClusterAccess;
import dev.policysync.cluster.ClusterConnection;
import dev.policysync.cluster.ClusterPolicies;
import dev.policysync.cluster.LeaseLock;
import dev.policysync.cluster.LeaseMemory;
import dev.policysync.http.Connections;
import dev.policysync.http.ProxyRules;
import dev.policysync.http.Trust;
import dev.policysync.insights.InsightsConnection;
import dev.policysync.insights.InsightsFeed;
import dev.policysync.insights.InsightsStatuses;
import dev.policysync.insights.PlainHttp;
import dev.policysync.plan.Rules;
import dev.policysync.policy.FilePolicySource;
import dev.policysync.policy.PolicySource;
import dev.policysync.settings.Api;
import dev.policysync.settings.Settings;
import dev.policysync.sync.Mode;
import dev.policysync.sync.Progress;
import dev.policysync.sync.RunMemory;
import dev.policysync.sync.StartJitter;
import dev.policysync.sync.StatusSink;
import dev.policysync.sync.StopSign;
import dev.policysync.sync.Summary;
import dev.policysync.sync.SyncLock;
import dev.policysync.sync.Synchronizer;
import java.time.Clock;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Joins the adapters to one run of `sync` and ends them with it.
final class SyncRun {
  private final Map<String, String> environment;
  private final StopSign stop;
  private final AtomicReference<@Nullable Connections> api = new AtomicReference<>();

  SyncRun(Map<String, String> environment, StopSign stop) {
    this.environment = environment;
    this.stop = stop;
  }

  /// Breaks off what waits for the remote API; writes to the cluster end by themselves.
  void cancel() {
    var connections = api.get();
    if (connections != null) {
      connections.cancel();
    }
  }

  Summary of(Settings settings, boolean differences, Progress progress) {
    if (settings.mode() == Mode.LIVE) {
      awaitTurn(StartJitter.delay(settings.source(), settings.startJitter()));
    }
    var began = stop.nanoTime();
    try (var cluster =
            new ClusterAccess(environment, settings.kubeconfig(), settings.context())
                .connect()
                .pausingBy(stop::pause);
        var remote = Remote.of(settings, environment)) {
      remote.connections().ifPresent(api::set);
      var options =
          new Synchronizer.Options(
              new Rules(settings.source(), settings.adoption(), settings.maxRemovals()),
              settings.mode(),
              differences,
              settings.concurrency(),
              settings.lockWait(),
              Version.text());
      var result =
          new Synchronizer(
                  remote.source(),
                  new ClusterPolicies(cluster),
                  lock(settings, cluster),
                  memory(settings, cluster),
                  remote.statuses(),
                  options,
                  stop,
                  Clock.systemUTC(),
                  progress)
              .run();
      return Summary.of(result, settings.mode(), Duration.ofNanos(stop.nanoTime() - began));
    }
  }

  private void awaitTurn(Duration delay) {
    try {
      var _ = stop.pause(delay);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Made when there is something to write, and not before.
  private SyncLock lock(Settings settings, ClusterConnection cluster) {
    return wait ->
        new LeaseLock(
                cluster,
                namespace(settings, cluster),
                identity(settings),
                Clock.systemUTC(),
                new UntilStopped(stop))
            .acquire(wait);
  }

  private static RunMemory memory(Settings settings, ClusterConnection cluster) {
    return new LeaseMemory(cluster, namespace(settings, cluster), settings.context());
  }

  private static String namespace(Settings settings, ClusterConnection cluster) {
    return settings.namespace().orElse(cluster.namespace());
  }

  /// Waiting for a Lease ends when the run is told to.
  private record UntilStopped(StopSign stop) implements LeaseLock.Ticker {
    @Override
    public long nanoTime() {
      return stop.nanoTime();
    }

    @Override
    public boolean pause(Duration time) throws InterruptedException {
      return stop.pause(time);
    }
  }

  /// The pod's name tells people who it is; the random part keeps a restarted container from taking
  /// its predecessor's Lease for its own.
  private static String identity(Settings settings) {
    var random = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());
    return settings.podName().orElse("policy-sync") + "-" + random;
  }

  /// Where the expected policies come from and who is told: the API, or files and nobody.
  private record Remote(
      PolicySource source, Optional<StatusSink> statuses, Optional<Connections> connections)
      implements AutoCloseable {

    static Remote of(Settings settings, Map<String, String> environment) {
      if (settings.api().isEmpty()) {
        var files = new FilePolicySource(settings.from().orElse("-"), () -> System.in);
        return new Remote(files, Optional.empty(), Optional.empty());
      }
      var connection = connection(settings.api().get());
      var connections =
          connection.open(
              Trust.fromEnvironment(environment), ProxyRules.fromEnvironment(environment));
      return new Remote(
          new InsightsFeed(connections, connection, Version.text()),
          Optional.of(new InsightsStatuses(connections, connection, Version.text())),
          Optional.of(connections));
    }

    /// Whether plain http is allowed was judged when the settings were read.
    private static InsightsConnection connection(Api api) {
      return InsightsConnection.of(
          api.host().toString(), PlainHttp.ALLOWED, api.organization(), api.cluster(), api.token());
    }

    @Override
    public void close() {
      connections.ifPresent(Connections::close);
    }
  }
}
