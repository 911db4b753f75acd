package dev.policysync;

import dev.policysync.cli.Version;
import dev.policysync.cluster.ClusterConnection;
import dev.policysync.cluster.ClusterPolicies;
import dev.policysync.cluster.LeaseEvents;
import dev.policysync.cluster.LeaseLock;
import dev.policysync.cluster.LeaseMemory;
import dev.policysync.plan.Rules;
import dev.policysync.settings.Settings;
import dev.policysync.settings.WrongSettings;
import dev.policysync.sync.EventSink;
import dev.policysync.sync.FailingNow;
import dev.policysync.sync.Mode;
import dev.policysync.sync.Progress;
import dev.policysync.sync.RunId;
import dev.policysync.sync.RunMemory;
import dev.policysync.sync.StartJitter;
import dev.policysync.sync.StopSign;
import dev.policysync.sync.Summary;
import dev.policysync.sync.SyncLock;
import dev.policysync.sync.Synchronizer;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Joins the adapters to one run of `sync` and ends them with it.
final class SyncRun {
  private static final Path TEMPORARY = Path.of(System.getProperty("java.io.tmpdir", "/tmp"));

  private final Links links;
  private final StopSign stop;
  private final RunId id;
  private final AtomicReference<SyncLock.@Nullable Held> held = new AtomicReference<>();

  SyncRun(Links links, StopSign stop, RunId id) {
    this.links = links;
    this.stop = stop;
    this.id = id;
  }

  /// Runs once.
  ///
  /// @throws WrongSettings if it turns out that there is no such cluster, certificate, or proxy
  Summary of(Settings settings, boolean differences, Progress progress) {
    if (settings.mode() == Mode.LIVE) {
      awaitTurn(StartJitter.delay(settings.source(), settings.startJitter()));
    }
    var began = stop.nanoTime();
    try (var cluster = links.cluster(settings);
        var remote = Remote.of(settings, links, stop)) {
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
            new ClusterPolicies(cluster, this::mayWrite),
            lock(settings, cluster),
            memory(settings, cluster),
            remote.statuses(),
            events(settings, cluster),
            LintHazards.in(settings.lint()),
            failing(cluster)),
        new Synchronizer.Options(
            new Rules(
                settings.source(),
                settings.adoption(),
                settings.maxRemovals(),
                settings.enforcing()),
            settings.mode(),
            differences,
            settings.concurrency(),
            settings.lockWait(),
            Version.text()),
        stop,
        Clock.systemUTC(),
        progress);
  }

  /// Made when something tightens, and not before.
  private FailingNow failing(ClusterConnection cluster) {
    return tightening ->
        new ReportedFailures(cluster, new RunPatience(stop), List.of(TEMPORARY)).of(tightening);
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
    return wait -> {
      var attempt =
          new LeaseLock(
                  cluster,
                  namespace(settings, cluster),
                  identity(settings),
                  Clock.systemUTC(),
                  new RunPatience(stop))
              .acquire(wait);
      if (attempt instanceof SyncLock.Attempt.Taken(var lease)) {
        held.set(lease);
      }
      return attempt;
    };
  }

  /// Without a Lease there are only dry runs.
  private boolean mayWrite() {
    var lease = held.get();
    return lease == null || lease.stillOurs();
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
