package dev.policysync.testcluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// The folder that `dev/cluster/prepare` leaves: `bin/kube-apiserver`, `bin/etcd`, `bin/kubectl`,
/// `crds/*.yaml`.
public record ClusterAssets(Path folder) {
  /// Names the folder where the build has prepared it already.
  public static final String PROPERTY = "policysync.testcluster";

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
    return new ClusterAssets(Preparation.folder(PROPERTY));
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
}
