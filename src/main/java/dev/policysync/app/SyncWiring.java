package dev.policysync.app;

import dev.policysync.app.Launcher.Start;
import dev.policysync.cli.ExitCode;
import dev.policysync.cli.ProgramVersion;
import dev.policysync.cli.settings.InvalidSettings;
import dev.policysync.cli.settings.Settings;
import dev.policysync.cli.settings.SettingsReader;
import dev.policysync.cli.sync.SyncCommand;
import dev.policysync.plan.Failure;
import dev.policysync.plan.PlannerOptions;
import dev.policysync.remote.cluster.ClusterConnection;
import dev.policysync.remote.cluster.lease.LeaseEvents;
import dev.policysync.remote.cluster.lease.LeaseLock;
import dev.policysync.remote.cluster.lease.LeaseRunStateStore;
import dev.policysync.remote.cluster.policy.ClusterExecution;
import dev.policysync.remote.cluster.policy.ClusterPolicies;
import dev.policysync.sync.AgentNamespace;
import dev.policysync.sync.EventSink;
import dev.policysync.sync.Inspection;
import dev.policysync.sync.RunId;
import dev.policysync.sync.StartJitter;
import dev.policysync.sync.Summary;
import dev.policysync.sync.SyncLock;
import dev.policysync.sync.SyncOptions;
import dev.policysync.sync.SyncPorts;
import dev.policysync.sync.SyncResult;
import dev.policysync.sync.Synchronizer;
import dev.policysync.sync.analysis.ViolationSource;
import dev.policysync.sync.execution.Cancellation;
import dev.policysync.sync.execution.ClusterUnavailable;
import dev.policysync.sync.execution.Progress;
import dev.policysync.sync.execution.StopReason;
import dev.policysync.sync.execution.TimeBudget;
import dev.policysync.sync.execution.WriteMode;
import dev.policysync.sync.succession.Conversions;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Wires one run of `sync` to its adapters and closes them at the end.
final class SyncWiring {
  private static final Logger LOG = LoggerFactory.getLogger(SyncWiring.class);

  /// How long a run that is cut off may take to release the Lease. Over an open connection, a
  /// release takes milliseconds.
  private static final Duration FOR_RELEASE = Duration.ofMillis(400);

  private static final Path TEMPORARY = Path.of(System.getProperty("java.io.tmpdir", "/tmp"));

  private final ConnectionFactory connectionFactory;
  private final Cancellation stop;
  private final RunId id;
  private final AtomicReference<SyncLock.@Nullable Held> held = new AtomicReference<>();
  private final AtomicReference<Runnable> release = new AtomicReference<>(() -> {});
  private volatile boolean cutOff;

  SyncWiring(ConnectionFactory connectionFactory, Cancellation stop, RunId id) {
    this.connectionFactory = connectionFactory;
    this.stop = stop;
    this.id = id;
  }

  /// Starts `sync` or `diff`.
  static ExitCode launch(Launcher launcher) {
    var process = launcher.processEnvironment();
    var command =
        SyncCommand.on(
            launcher.invocation(), process.noColour(), process.out(), process.err(), launcher.id());
    return launcher.run(
        command,
        pinned -> {
          var settings = command.implied(launcher.read(SettingsReader::read, pinned));
          return Start.of(
              settings,
              command.logFormat(),
              run -> {
                logIgnored(process.environment());
                var wiring = new SyncWiring(run.connectionFactory(), run.stop(), launcher.id());
                run.onCutOff().accept(wiring::releaseLease);
                return command.run(settings, wiring::run);
              });
        });
  }

  private static void logIgnored(Map<String, String> environment) {
    for (var name : SettingsReader.ignored(environment)) {
      LOG.atDebug().addKeyValue("setting", name).log("Setting has no effect");
    }
  }

  /// Runs once, and pushes the metrics if configured.
  ///
  /// @throws InvalidSettings if the settings lead to no cluster, or the configured certificate or
  ///   proxy cannot be used
  Summary run(Settings settings, boolean differences, Progress progress) {
    if (settings.writeMode() == WriteMode.LIVE) {
      StartJitter.await(
          settings.source(),
          settings.limits().startJitter(),
          settings.cluster().podName(),
          Clock.systemUTC(),
          stop);
    }
    var began = stop.nanoTime();
    try (var cluster = connectionFactory.cluster(settings);
        var policyEndpoints = PolicyEndpoints.of(settings, connectionFactory, stop)) {
      var namespace = ConnectionFactory.agentNamespace(settings, cluster);
      var result =
          namespace
              .objection()
              .filter(_ -> settings.writeMode() == WriteMode.LIVE)
              .map(this::refused)
              .orElseGet(() ->
                  synchronizer(settings, differences, cluster, namespace, policyEndpoints, progress)
                      .run());
      var took = Duration.ofNanos(stop.nanoTime() - began);
      var summary = Summary.of(result, settings.writeMode(), took, Instant.now(), namespace);
      if (settings.metrics().wanted() && settings.writeMode() == WriteMode.LIVE) {
        new MetricsWiring(connectionFactory, stop).publish(settings.metrics(), result, summary);
      }
      return summary;
    }
  }

  /// Refuses a run that would write while the agent's namespace is uncertain: its Lease could be
  /// another agent's.
  private SyncResult refused(Failure objection) {
    if (!objection.retryable()) {
      throw new InvalidSettings(
          List.of("NAMESPACE (--namespace) is required: " + objection.reason()));
    }
    return stop.reason().equals(Optional.of(StopReason.SIGNAL))
        ? new SyncResult.Stopped()
        : new SyncResult.Refused(objection.reason(), true);
  }

  /// Finds out what a run would do, without sending any write, not even a dry run.
  ///
  /// @throws InvalidSettings if the configured certificate or proxy cannot be used
  Inspection inspect(Settings settings, ClusterConnection cluster, AgentNamespace namespace) {
    try (var policyEndpoints = PolicyEndpoints.of(settings, connectionFactory, stop)) {
      return synchronizer(settings, false, cluster, namespace, policyEndpoints, Progress.NONE)
          .inspect();
    }
  }

  private Synchronizer synchronizer(
      Settings settings,
      boolean differences,
      ClusterConnection cluster,
      AgentNamespace namespace,
      PolicyEndpoints policyEndpoints,
      Progress progress) {
    var policies = new ClusterPolicies(cluster, settings.guards().excludedKinds(), this::mayWrite);
    return new Synchronizer(
        new SyncPorts(
            policyEndpoints.source(),
            policies,
            lock(settings, cluster, namespace.name()),
            new LeaseRunStateStore(cluster, namespace.name(), settings.cluster().context()),
            policyEndpoints.statuses(),
            events(settings, cluster, namespace.name()),
            SyncLinter.in(settings.guards().lint()),
            failing(cluster),
            new ClusterExecution(cluster, policies, Clock.systemUTC()),
            conversions(settings, cluster)),
        new SyncOptions(
            new PlannerOptions(
                settings.source(),
                settings.guards().adoption(),
                settings.guards().maxRemovals(),
                settings.guards().enforcing(),
                settings.guards().approvedFeed()),
            settings.writeMode(),
            differences,
            settings.limits().concurrency(),
            settings.limits().lockWait(),
            ProgramVersion.text(),
            namespace.certain()),
        stop,
        Clock.systemUTC(),
        progress);
  }

  private Conversions conversions(Settings settings, ClusterConnection cluster) {
    return switch (settings.conversion().mode()) {
      case OFF -> new Conversions.Off();
      case PREVIEW -> new Conversions.Preview(SyncConverter.until(stop));
      case APPLY ->
          new Conversions.Apply(
              SyncConverter.until(stop),
              rehearsals -> new ReportedRehearsals(cluster, List.of(TEMPORARY)).of(rehearsals),
              settings.conversion().rehearsal());
    };
  }

  /// Creates the source of violations on first use: only a change that makes a policy stricter
  /// needs it.
  private ViolationSource failing(ClusterConnection cluster) {
    return tightening -> new ReportedViolations(cluster, List.of(TEMPORARY)).of(tightening);
  }

  /// Creates the Lease lock on first use: a run without writes needs none.
  private SyncLock lock(Settings settings, ClusterConnection cluster, String namespace) {
    return wait -> {
      var attempt = lease(settings, cluster, namespace).acquire(wait);
      if (attempt instanceof SyncLock.Attempt.Taken(var lease)) {
        held.set(lease);
        release.set(() -> lease(settings, cluster.withTimeBudget(briefly()), namespace).release());
      }
      return attempt;
    };
  }

  private LeaseLock lease(Settings settings, ClusterConnection cluster, String namespace) {
    return new LeaseLock(cluster, namespace, identity(settings), Clock.systemUTC(), stop);
  }

  /// Releases the Lease of a run that is cut off; the process ends right after.
  private void releaseLease() {
    cutOff = true;
    try {
      release.get().run();
    } catch (ClusterUnavailable _) {
      // The Lease expires by itself. A log line here would follow the summary, which must be the
      // last line.
    }
  }

  /// Returns a time budget for the release, because the run's own time is over.
  private static TimeBudget briefly() {
    return new Cancellation(FOR_RELEASE, System::nanoTime).within(FOR_RELEASE, "the release");
  }

  /// Returns whether writes may be sent: the run is not cut off and still holds its Lease. A run
  /// without a Lease sends only dry runs.
  private boolean mayWrite() {
    var lease = held.get();
    return !cutOff && (lease == null || lease.stillOurs());
  }

  /// Creates the Event client on first use: most runs have no Events to write.
  private EventSink events(Settings settings, ClusterConnection cluster, String namespace) {
    return events ->
        new LeaseEvents(cluster, namespace, identity(settings), Clock.systemUTC()).publish(events);
  }

  /// Returns the holder name on the Lease: the pod's name, so that people recognize it, with the
  /// run's suffix.
  private String identity(Settings settings) {
    return settings.cluster().podName().orElse("policy-sync") + "-" + id.holder();
  }
}
