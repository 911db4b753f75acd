package dev.policysync.cli.settings;

import dev.policysync.base.Secret;
import java.net.URI;
import java.util.Map;
import java.util.Optional;

/// Where a run's metrics go, if anywhere.
///
/// @param pushUrl of a Pushgateway, without user and password
/// @param authorization the header that user and password make
/// @param file for a textfile collector
/// @param where the labels that tell clusters apart: organization and cluster
public record MetricsSettings(
    Optional<URI> pushUrl,
    Optional<Secret> authorization,
    Optional<String> file,
    Map<String, String> where) {
  /// Whether anybody wants them.
  public boolean wanted() {
    return pushUrl.isPresent() || file.isPresent();
  }
}
