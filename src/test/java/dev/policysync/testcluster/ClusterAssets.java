package dev.policysync.testcluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// The folder that `dev/cluster/prepare` leaves: `bin/kube-apiserver`, `bin/etcd`, `bin/kubectl`,
/// `crds/*.yaml`.
public record ClusterAssets(Path folder) {
  /// Names the folder where the build has prepared it already.
  public static final String PROPERTY = "policysync.testcluster";

  private static final Path PREPARE = Path.of("dev", "cluster", "prepare");

  public ClusterAssets {
    for (var needed : List.of("bin/kube-apiserver", "bin/etcd", "bin/kubectl", "crds")) {
      if (!Files.exists(folder.resolve(needed))) {
        throw new IllegalStateException(
            folder + " has no " + needed + "; expected what dev/cluster/prepare leaves");
      }
    }
  }

  /// The prepared folder that [#PROPERTY] names; without it, as in an IDE, it is prepared now.
  ///
  /// @throws IllegalStateException if that fails, with what `dev/cluster/prepare` says is missing
  public static ClusterAssets find() {
    var prepared = System.getProperty(PROPERTY, "");
    return new ClusterAssets(prepared.isEmpty() ? prepare() : Path.of(prepared));
  }

  Path apiServer() {
    return folder.resolve("bin/kube-apiserver");
  }

  Path etcd() {
    return folder.resolve("bin/etcd");
  }

  Path kubectl() {
    return folder.resolve("bin/kubectl");
  }

  /// One file for each custom resource, named `kyverno.io_clusterpolicies.yaml`.
  List<Path> customResources() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("crds"))) {
      return files.sorted().toList();
    }
  }

  private static Path prepare() {
    var script = script(Path.of("").toAbsolutePath());
    try {
      var process =
          new ProcessBuilder(script.toString())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      process.getOutputStream().close();
      var folder =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      if (process.waitFor() != 0) {
        throw new IllegalStateException(
            "no API server to test against: " + PREPARE + " failed, and says above what it needs");
      }
      return Path.of(folder);
    } catch (IOException e) {
      throw new IllegalStateException("no API server to test against: cannot run " + script, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while preparing the API server", e);
    }
  }

  private static Path script(Path below) {
    for (var folder = below; folder != null; folder = folder.getParent()) {
      if (Files.isExecutable(folder.resolve(PREPARE))) {
        return folder.resolve(PREPARE);
      }
    }
    throw new IllegalStateException(
        "no API server to test against: no " + PREPARE + " in " + below + " or above it");
  }
}
