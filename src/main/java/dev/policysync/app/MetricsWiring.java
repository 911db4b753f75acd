package dev.policysync.app;

import dev.policysync.cli.InternalErrorMessage;
import dev.policysync.cli.ProgramVersion;
import dev.policysync.cli.settings.InvalidSettings;
import dev.policysync.cli.settings.MetricsSettings;
import dev.policysync.remote.insights.Pushgateway;
import dev.policysync.sync.MetricsFile;
import dev.policysync.sync.MetricsText;
import dev.policysync.sync.RunMetrics;
import dev.policysync.sync.Summary;
import dev.policysync.sync.SyncResult;
import dev.policysync.sync.execution.Cancellation;
import dev.policysync.sync.execution.StopReason;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Publishes the metrics of a run, if configured. No run fails because of its metrics, or exceeds
/// its timeout by more than a few seconds. A run that a signal ends writes only the file.
final class MetricsWiring {
  private static final Logger LOG = LoggerFactory.getLogger(MetricsWiring.class);

  private final ConnectionFactory connectionFactory;
  private final Cancellation stop;

  MetricsWiring(ConnectionFactory connectionFactory, Cancellation stop) {
    this.connectionFactory = connectionFactory;
    this.stop = stop;
  }

  /// Publishes the metrics and never throws, because a failed publication must not fail a completed
  /// sync.
  void publish(MetricsSettings settings, SyncResult result, Summary summary) {
    try {
      write(settings, result, summary);
    } catch (RuntimeException e) {
      InternalErrorMessage.log(e);
    }
  }

  private void write(MetricsSettings settings, SyncResult result, Summary summary) {
    var metrics =
        RunMetrics.of(result, summary, ProgramVersion.text(), Instant.now(), settings.labels());
    settings
        .file()
        .flatMap(file -> new MetricsFile(Path.of(file)).write(metrics))
        .ifPresent(why -> LOG.atWarn().addKeyValue("reason", why).log("Metrics not written"));
    if (!stop.reason().equals(Optional.of(StopReason.SIGNAL))) {
      settings
          .pushUrl()
          .flatMap(url -> push(url, settings, metrics))
          .ifPresent(why -> LOG.atWarn().addKeyValue("reason", why).log("Metrics not pushed"));
    }
  }

  private Optional<String> push(URI url, MetricsSettings settings, MetricsText metrics) {
    try (var connections = connectionFactory.metrics(url)) {
      return new Pushgateway(connections, url, settings.labels(), settings.authorization())
          .push(
              metrics.toString(), MetricsText.CONTENT_TYPE, stop.allowance(Duration.ofSeconds(1)));
    } catch (InvalidSettings e) {
      return Optional.of(String.join("; ", e.problems()));
    }
  }
}
