package dev.policysync.app;

import dev.policysync.app.Launcher.Start;
import dev.policysync.cli.ExitCode;
import dev.policysync.cli.ProgramVersion;
import dev.policysync.cli.report.ReportCommand;
import dev.policysync.cli.settings.ApiSettings;
import dev.policysync.cli.settings.InvalidSettings;
import dev.policysync.cli.settings.PinnedSettings;
import dev.policysync.cli.settings.Settings;
import dev.policysync.cli.settings.SettingsReader;
import dev.policysync.remote.cluster.ClusterReports;
import dev.policysync.remote.insights.InsightsReports;
import dev.policysync.report.Collector;
import dev.policysync.report.Delivery;
import dev.policysync.report.ReportSummary;
import dev.policysync.report.Reporter;
import dev.policysync.sync.StartJitter;
import dev.policysync.sync.execution.Cancellation;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// Wires one run of `report` to its adapters and closes them at the end.
final class ReportWiring implements ReportCommand.Run {
  /// The only writable directory of a pod of the standard chart.
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

  static ExitCode launch(Launcher launcher) {
    var process = launcher.processEnvironment();
    var command =
        ReportCommand.on(
            launcher.invocation(),
            process.inPod(),
            process.noColour(),
            process.out(),
            process.err(),
            launcher.id());
    return launcher.run(
        command,
        pinned -> {
          var settings = settings(launcher, command, pinned);
          return Start.of(
              settings,
              command.logFormat(settings),
              run ->
                  command.run(
                      settings,
                      new ReportWiring(run.connectionFactory(), run.stop(), run.environment())));
        });
  }

  private static Settings settings(
      Launcher launcher, ReportCommand command, PinnedSettings pinned) {
    var settings = launcher.read(SettingsReader::readWithoutApi, pinned);
    return command.sends(settings) ? launcher.read(SettingsReader::read, pinned) : settings;
  }

  @Override
  public ReportSummary deliver(Settings settings) {
    var api = settings.api();
    if (api.isEmpty()) {
      var file = file(settings);
      return collect(settings, _ -> new Delivery.Written(file));
    }
    StartJitter.await(
        settings.source(),
        settings.limits().startJitter(),
        settings.cluster().podName(),
        Clock.systemUTC(),
        stop);
    return send(settings, api.get());
  }

  @Override
  public ReportSummary show(Settings settings, ReportCommand.Reader reader) {
    return collect(
        settings,
        reports -> new Delivery.Shown(findings -> reader.read(findings, reports::namespaceLabels)));
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
      var delivery = new Delivery.Sent(upload, settings.reporting().tellFailures());
      return collect(settings, _ -> delivery);
    }
  }

  private ReportSummary collect(Settings settings, Function<ClusterReports, Delivery> delivery) {
    try (var cluster = connectionFactory.cluster(settings)) {
      var reports = new ClusterReports(cluster);
      var collector = new Collector(reports, folders(settings), settings.reporting().upload());
      return new Reporter(collector, delivery.apply(reports), stop::nanoTime).run();
    }
  }

  /// Returns the directories for temporary files, the best first: the system's directory, the
  /// output file's directory, the writable directory of the standard chart.
  private List<Path> folders(Settings settings) {
    var folders = new ArrayList<Path>();
    var usual = environment.getOrDefault("TMPDIR", "");
    try {
      folders.add(Path.of(usual.isEmpty() ? System.getProperty("java.io.tmpdir", "/tmp") : usual));
    } catch (InvalidPathException e) {
      throw new InvalidSettings(List.of("TMPDIR is not a valid path"));
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
            .orElseThrow(() -> new InvalidSettings(List.of("no output file for the report"))));
  }
}
