package dev.policysync;

import dev.policysync.cli.ProgramVersion;
import dev.policysync.cli.report.ReportCommand;
import dev.policysync.cluster.report.ClusterReports;
import dev.policysync.insights.InsightsReports;
import dev.policysync.report.Collector;
import dev.policysync.report.Delivery;
import dev.policysync.report.ReportSummary;
import dev.policysync.report.Reporter;
import dev.policysync.report.finding.Findings;
import dev.policysync.settings.ApiSettings;
import dev.policysync.settings.InvalidSettings;
import dev.policysync.settings.Settings;
import dev.policysync.sync.StartJitter;
import dev.policysync.sync.execution.Cancellation;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// Joins the adapters to one run of `report` and ends them with it.
final class ReportWiring implements ReportCommand.Run {
  /// Where the stock chart mounts the one folder that its pods may write to.
  private static final Path OUTPUT = Path.of("/output");

  private final ConnectionFactory connectionFactory;
  private final Cancellation stop;
  private final Map<String, String> environment;

  ReportWiring(
      ConnectionFactory connectionFactory, Cancellation stop, Map<String, String> environment) {
    this.connectionFactory = connectionFactory;
    this.stop = stop;
    this.environment = environment;
  }

  @Override
  public ReportSummary deliver(Settings settings) {
    var api = settings.api();
    if (api.isEmpty()) {
      return collect(settings, new Delivery.Written(file(settings)));
    }
    awaitTurn(settings);
    return send(settings, api.get());
  }

  @Override
  public ReportSummary show(Settings settings, Consumer<Findings> reader) {
    return collect(settings, new Delivery.Shown(reader));
  }

  private ReportSummary send(Settings settings, ApiSettings apiSettings) {
    try (var connections = connectionFactory.connections(apiSettings)) {
      var upload =
          new InsightsReports(
              connections,
              ConnectionFactory.insights(apiSettings),
              ProgramVersion.text(),
              settings.reporting().chartVersion(),
              stop::remaining);
      return collect(settings, new Delivery.Sent(upload, settings.reporting().tellFailures()));
    }
  }

  private ReportSummary collect(Settings settings, Delivery delivery) {
    try (var cluster = connectionFactory.cluster(settings)) {
      var collector = new Collector(new ClusterReports(cluster), folders(settings));
      return new Reporter(collector, delivery, stop::nanoTime).run();
    }
  }

  /// Where temporary files may be, the best first: where the system keeps them, then where the
  /// result goes, then where the stock chart allows it.
  private List<Path> folders(Settings settings) {
    var folders = new ArrayList<Path>();
    var usual = environment.getOrDefault("TMPDIR", "");
    try {
      folders.add(Path.of(usual.isEmpty() ? System.getProperty("java.io.tmpdir", "/tmp") : usual));
    } catch (InvalidPathException e) {
      throw new InvalidSettings(List.of("TMPDIR is no path that this system can have"));
    }
    if (settings.reporting().file().isPresent()) {
      var parent = file(settings).toAbsolutePath().getParent();
      if (parent != null) {
        folders.add(parent);
      }
    }
    folders.add(OUTPUT);
    return folders;
  }

  private static Path file(Settings settings) {
    return Path.of(
        settings
            .reporting()
            .file()
            .orElseThrow(() -> new InvalidSettings(List.of("no file to write the report to"))));
  }

  private void awaitTurn(Settings settings) {
    try {
      var _ = stop.pause(StartJitter.delay(settings.source(), settings.startJitter()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
