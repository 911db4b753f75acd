package dev.policysync.dist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.Kubectl;
import dev.policysync.testcluster.RealCluster;
import dev.policysync.testcluster.Sandbox;
import dev.policysync.testcluster.TimeLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `kubectl policysync`, by the manifest that a release has for krew.
@RealCluster
class KubectlPluginIT {
  @TempDir private Path folder;

  @Test
  void kubectlRunsWhatKrewUnpacksAndLinks(Sandbox sandbox) throws Exception {
    var archive = archive();
    var manifest = Documents.yaml(run(new ProcessBuilder("dev/krew", archive.toString())));
    var platform = manifest.mapping("spec").mappings("platforms").getFirst();
    var unpacked = Files.createDirectory(folder.resolve("store"));
    run(new ProcessBuilder("tar", "-xf", archive.toString(), "-C", unpacked.toString()));
    var plugins = Files.createDirectory(folder.resolve("bin"));
    // krew puts dashes for what kubectl separates by them.
    Files.createSymbolicLink(
        plugins.resolve("kubectl-" + manifest.mapping("metadata").text("name").orElseThrow()),
        unpacked.resolve(platform.text("bin").orElseThrow()));
    var kubectl =
        Kubectl.of(sandbox.cluster(), folder.resolve("home"))
            .process("policysync", "check", "-n", "default", "--from=examples/policies", "-ojson");
    kubectl.environment().put("PATH", plugins + ":/usr/bin:/bin");
    kubectl.environment().put("JAVA_HOME", System.getProperty("java.home"));

    var said = run(kubectl);

    assertThat(said).contains("\"API server\"");
    assertThat(run(new ProcessBuilder("sha256sum", archive.toString())))
        .startsWith(platform.text("sha256").orElseThrow());
  }

  /// As the release packs it.
  private Path archive() throws Exception {
    var archive = folder.resolve("policy-sync.tar.gz");
    Files.createSymbolicLink(
        folder.resolve("policy-sync"), Path.of("target", "dist").toAbsolutePath());
    run(
        new ProcessBuilder(
            "tar", "-czhf", archive.toString(), "-C", folder.toString(), "policy-sync"));
    return archive;
  }

  private String run(ProcessBuilder command) throws IOException, InterruptedException {
    var stdout = Files.createTempFile(folder, "stdout", "");
    var stderr = Files.createTempFile(folder, "stderr", "");
    var process = command.redirectOutput(stdout.toFile()).redirectError(stderr.toFile()).start();
    assertThat(process.waitFor(TimeLimits.WAIT)).isTrue();
    assertThat(Files.readString(stderr)).isEmpty();
    return Files.readString(stdout);
  }
}
