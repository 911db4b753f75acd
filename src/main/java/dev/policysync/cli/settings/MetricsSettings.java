package dev.policysync.cli.settings;

import dev.policysync.base.Secret;
import java.net.URI;
import java.util.Map;
import java.util.Optional;

/// Where the metrics of a run are published, if configured.
///
/// @param pushUrl the URL of a Pushgateway, without user and password
/// @param authorization the `Authorization` header made from user and password
/// @param file a file for a textfile collector
/// @param labels the labels that identify the cluster: organization and cluster
public record MetricsSettings(
    Optional<URI> pushUrl,
    Optional<Secret> authorization,
    Optional<String> file,
    Map<String, String> labels) {
  /// Returns whether metrics are published.
  public boolean wanted() {
    return pushUrl.isPresent() || file.isPresent();
  }
}
