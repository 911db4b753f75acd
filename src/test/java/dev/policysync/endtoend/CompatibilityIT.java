package dev.policysync.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.matrix.CompatibilityRun;
import dev.policysync.matrix.KyvernoRelease;
import dev.policysync.testcluster.ClusterAssets;
import dev.policysync.testcluster.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The agent against the newest API server with the custom resources of each release of Kyverno
/// that docs/compatibility.md names. `make matrix` does the same with older API servers.
class CompatibilityIT {
  @TempDir private Path folder;

  static List<KyvernoRelease> releases() throws IOException {
    return KyvernoRelease.all();
  }

  @ParameterizedTest
  @MethodSource("releases")
  void worksWithTheCustomResourcesOf(KyvernoRelease release) throws Exception {
    var programs = ClusterAssets.find().folder().resolve("bin");
    var assets = release.assets(programs, folder.resolve("assets"));
    try (var cluster = TestCluster.start(assets);
        var run = new CompatibilityRun(cluster, release, folder.resolve("pod"), false)) {
      var found = run.play();

      assertThat(Files.readAllLines(Path.of("docs", "compatibility.md")))
          .contains(found.row(release.version().substring(1)));
    }
  }
}
