package dev.policysync.app;

import dev.policysync.app.Launcher.Start;
import dev.policysync.cli.ExitCode;
import dev.policysync.cli.OutputFormat;
import dev.policysync.cli.StatusCommand;
import dev.policysync.cli.settings.InvalidSettings;
import dev.policysync.cli.settings.MetricsSettings;
import dev.policysync.cli.settings.PartialSettings;
import dev.policysync.cli.settings.Settings;
import dev.policysync.inspect.SyncStatus;
import dev.policysync.remote.cluster.probe.StatusProbe;
import dev.policysync.sync.RunId;
import dev.policysync.sync.SyncResult;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/// Wires `status` to the cluster and the policy source, and closes them at the end.
final class StatusWiring {
  /// The time limit of the whole run if the settings contain no valid one.
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

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
              settings.whole().map(it -> it.limits().timeout()).orElse(TIMEOUT),
              run ->
                  command.run(() ->
                      new StatusWiring(settings, settings.cluster().get(), run, launcher.id())
                          .readStatus()));
        });
  }

  private SyncStatus readStatus() {
    var whole = settings.whole().map(Settings::dryRun);
    try (var connection = run.connectionFactory().cluster(cluster)) {
      var namespace = ConnectionFactory.agentNamespace(cluster, connection);
      var found =
          whole
              .map(all ->
                  new SyncWiring(run.connectionFactory(), run.stop(), id)
                      .inspect(all, connection, namespace))
              .orElseGet(
                  () -> new SyncResult.Refused(String.join("; ", settings.problems()), false));
      var metrics = whole.map(Settings::metrics);
      return SyncStatus.of(
          whole.map(all -> all.from().orElse(all.source().text())).orElse("not set"),
          metrics
              .flatMap(MetricsSettings::pushUrl)
              .map(URI::toString)
              .or(() -> metrics.flatMap(MetricsSettings::file)),
          found,
          namespace,
          new StatusProbe(connection, namespace.name(), Clock.systemUTC()).facts(),
          Instant.now());
    }
  }
}
