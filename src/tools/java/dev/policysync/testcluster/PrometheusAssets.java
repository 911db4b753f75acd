package dev.policysync.testcluster;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The folder that `dev/cluster/prepare prometheus` leaves: `bin/promtool`, `bin/pushgateway`.
public record PrometheusAssets(Path folder) {
  /// Names the folder where the build has prepared it already.
  public static final String PROPERTY = "policysync.prometheus";

  public PrometheusAssets {
    for (var needed : List.of("bin/promtool", "bin/pushgateway")) {
      if (!Files.exists(folder.resolve(needed))) {
        throw new IllegalStateException(
            folder + " has no " + needed + "; expected what dev/cluster/prepare prometheus leaves");
      }
    }
  }

  /// The prepared folder that [#PROPERTY] names; without it, as in an IDE, it is prepared now.
  ///
  /// @throws IllegalStateException if that fails, with what `dev/cluster/prepare` says is missing
  public static PrometheusAssets find() {
    return new PrometheusAssets(Preparation.folder(PROPERTY, "prometheus"));
  }

  /// Checks and tests rules, and parses queries.
  public Path promtool() {
    return folder.resolve("bin/promtool");
  }

  Path pushgateway() {
    return folder.resolve("bin/pushgateway");
  }
}
