package dev.policysync.app;

import dev.policysync.app.Launcher.Start;
import dev.policysync.cli.ExitCode;
import dev.policysync.cli.OutputFormat;
import dev.policysync.cli.StatusCommand;
import dev.policysync.cli.settings.InvalidSettings;
import dev.policysync.cli.settings.MetricsSettings;
import dev.policysync.cli.settings.PartialSettings;
import dev.policysync.cli.settings.Settings;
import dev.policysync.inspect.ClusterFacts;
import dev.policysync.inspect.SyncStatus;
import dev.policysync.remote.cluster.ClusterConnection;
import dev.policysync.remote.cluster.probe.StatusProbe;
import dev.policysync.sync.AgentNamespace;
import dev.policysync.sync.Inspection;
import dev.policysync.sync.RunId;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/// Wires `status` to the cluster and the policy source, and closes them at the end.
final class StatusWiring {
  /// The time limit, as somebody waits for the answer. A shorter TIMEOUT applies, too.
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private final PartialSettings settings;
  private final Settings cluster;
  private final Launcher.Run run;
  private final RunId id;

  private StatusWiring(PartialSettings settings, Settings cluster, Launcher.Run run, RunId id) {
    this.settings = settings;
    this.cluster = cluster;
    this.run = run;
    this.id = id;
  }

  /// Starts `status`. The settings of the cluster must be valid; if others are invalid, the status
  /// is incomplete. stdout carries only the status.
  static ExitCode launch(Launcher launcher) {
    var process = launcher.processEnvironment();
    var command =
        StatusCommand.on(launcher.invocation(), process.noColour(), process.out(), process.err());
    return launcher.run(
        command,
        pinned -> {
          var settings = launcher.read(PartialSettings::read, pinned);
          if (settings.cluster().isEmpty()) {
            throw new InvalidSettings(settings.problems());
          }
          return new Start(
              settings.whole().flatMap(it -> it.output().logLevel()),
              OutputFormat.TEXT,
              timeout(settings),
              run ->
                  command.run(() ->
                      new StatusWiring(settings, settings.cluster().get(), run, launcher.id())
                          .readStatus()));
        });
  }

  private static Duration timeout(PartialSettings settings) {
    return settings
        .whole()
        .map(all -> all.limits().timeout())
        .filter(timeout -> timeout.compareTo(TIMEOUT) < 0)
        .orElse(TIMEOUT);
  }

  private SyncStatus readStatus() {
    try (var connection = run.connectionFactory().cluster(cluster)) {
      var probe =
          new StatusProbe(
              connection,
              Clock.systemUTC(),
              settings.whole().map(it -> it.guards().excludedKinds()).orElse(Set.of()));
      var unreachable = probe.unreachable();
      if (unreachable.isPresent()) {
        return SyncStatus.of(
            target(connection, Optional.empty()),
            new Inspection.NoCluster(unreachable.get()),
            ClusterFacts.UNKNOWN,
            Instant.now());
      }
      var namespace = ConnectionFactory.agentNamespace(cluster, connection);
      // First, because a source that does not respond uses up the time limit.
      var facts = probe.facts(namespace.name());
      return SyncStatus.of(
          target(connection, Optional.of(namespace)),
          compare(connection, namespace),
          facts,
          Instant.now());
    }
  }

  private SyncStatus.Target target(
      ClusterConnection connection, Optional<AgentNamespace> namespace) {
    return new SyncStatus.Target(connection.text(), namespace, source(), metrics());
  }

  private Inspection compare(ClusterConnection connection, AgentNamespace namespace) {
    return settings
        .whole()
        .map(all ->
            new SyncWiring(run.connectionFactory(), run.stop(), id)
                .inspect(all.dryRun(), connection, namespace))
        .orElseGet(() ->
            new Inspection.NoFeed(
                String.join("; ", settings.problems()) + ". To compare with files: --from"));
  }

  private String source() {
    return settings.whole().map(all -> all.from().orElse(all.source().text())).orElse("not set");
  }

  private Optional<String> metrics() {
    var metrics = settings.whole().map(Settings::metrics);
    return metrics
        .flatMap(MetricsSettings::pushUrl)
        .map(URI::toString)
        .or(() -> metrics.flatMap(MetricsSettings::file));
  }
}
