package dev.policysync;

import dev.policysync.cli.Version;
import dev.policysync.cluster.ClusterAccess;
import dev.policysync.cluster.ClusterConnection;
import dev.policysync.cluster.ClusterPolicies;
import dev.policysync.cluster.LeaseEvents;
import dev.policysync.cluster.LeaseLock;
import dev.policysync.cluster.LeaseMemory;
import dev.policysync.plan.Rules;
import dev.policysync.settings.Settings;
import dev.policysync.settings.WrongSettings;
import dev.policysync.sync.EventSink;
import dev.policysync.sync.Mode;
import dev.policysync.sync.Progress;
import dev.policysync.sync.RunId;
import dev.policysync.sync.RunMemory;
import dev.policysync.sync.StartJitter;
import dev.policysync.sync.StopSign;
import dev.policysync.sync.Summary;
import dev.policysync.sync.SyncLock;
import dev.policysync.sync.Synchronizer;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Joins the adapters to one run of `sync` and ends them with it.
final class SyncRun {
  private final Map<String, String> environment;
  private final StopSign stop;
  private final RunId id;
  private final AtomicReference<@Nullable Remote> remoteInUse = new AtomicReference<>();
  private final AtomicReference<@Nullable ClusterConnection> clusterInUse = new AtomicReference<>();

  SyncRun(Map<String, String> environment, StopSign stop, RunId id) {
    this.environment = environment;
    this.stop = stop;
    this.id = id;
  }

  /// Breaks off what waits for the remote API and what is read from the cluster; a write under way
  /// may end by itself.
  ///
  /// @return breaks off that write, too
  Runnable cancelReads() {
    var remote = remoteInUse.get();
    if (remote != null) {
      remote.cancel();
    }
    var cluster = clusterInUse.get();
    return cluster == null ? () -> {} : cluster.cancelReads();
  }

  /// Runs once.
  ///
  /// @throws WrongSettings if it turns out that there is no such cluster, certificate, or proxy
  Summary of(Settings settings, boolean differences, Progress progress) {
    if (settings.mode() == Mode.LIVE) {
      awaitTurn(StartJitter.delay(settings.source(), settings.startJitter()));
    }
    var began = stop.nanoTime();
    try (var cluster = asked(() -> connect(settings));
        var remote = asked(() -> Remote.of(settings, environment, stop, id))) {
      clusterInUse.set(cluster);
      remoteInUse.set(remote);
      if (stop.reason().isPresent()) {
        var _ = cancelReads(); // a signal that came before there was anything to cancel
      }
      var result = synchronizer(settings, differences, cluster, remote, progress).run();
      return Summary.of(result, settings.mode(), Duration.ofNanos(stop.nanoTime() - began));
    }
  }

  private Synchronizer synchronizer(
      Settings settings,
      boolean differences,
      ClusterConnection cluster,
      Remote remote,
      Progress progress) {
    return new Synchronizer(
        new Synchronizer.Ports(
            remote.source(),
            new ClusterPolicies(cluster),
            lock(settings, cluster),
            memory(settings, cluster),
            remote.statuses(),
            events(settings, cluster)),
        new Synchronizer.Options(
            new Rules(settings.source(), settings.adoption(), settings.maxRemovals()),
            settings.mode(),
            differences,
            settings.concurrency(),
            settings.lockWait(),
            Version.text()),
        stop,
        Clock.systemUTC(),
        progress);
  }

  private ClusterConnection connect(Settings settings) {
    return new ClusterAccess(environment, settings.kubeconfig(), settings.context())
        .connect()
        .as("policy-sync/" + Version.text() + " (run " + id + ")")
        .with(new RunPatience(stop));
  }

  /// What the user asked for cannot be had: his to mend, like any wrong setting.
  private static <T> T asked(Supplier<T> what) {
    try {
      return what.get();
    } catch (IllegalArgumentException e) {
      throw new WrongSettings(List.of(String.valueOf(e.getMessage())));
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
                new RunPatience(stop))
            .acquire(wait);
  }

  private static RunMemory memory(Settings settings, ClusterConnection cluster) {
    return new LeaseMemory(cluster, namespace(settings, cluster), settings.context());
  }

  /// Made when there is something to tell, and not before.
  private EventSink events(Settings settings, ClusterConnection cluster) {
    return told ->
        new LeaseEvents(
                cluster, namespace(settings, cluster), identity(settings), Clock.systemUTC())
            .tell(told);
  }

  private static String namespace(Settings settings, ClusterConnection cluster) {
    return settings.namespace().orElse(cluster.namespace());
  }

  /// The pod's name tells people who it is.
  private String identity(Settings settings) {
    return settings.podName().orElse("policy-sync") + "-" + id;
  }
}
