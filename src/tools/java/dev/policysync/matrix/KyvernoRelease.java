package dev.policysync.matrix;

import dev.policysync.testcluster.ClusterAssets;
import dev.policysync.testcluster.Preparation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// A release of Kyverno whose custom resources `dev/cluster/kyverno-crds.sums` pins.
///
/// @param version `v1.18.2`
public record KyvernoRelease(String version) {
  private static final Path PINS = Path.of("dev", "cluster", "kyverno-crds.sums");

  /// All of them, the oldest first.
  public static List<KyvernoRelease> all() throws IOException {
    return Files.readAllLines(PINS).stream()
        .filter(line -> line.startsWith("v"))
        .map(line -> new KyvernoRelease(line.split(" ", 2)[0]))
        .toList();
  }

  /// `1.18`.
  String minor() {
    return version.substring(1, version.lastIndexOf('.'));
  }

  /// What a cluster with its custom resources is made of.
  ///
  /// @param programs the folder with kube-apiserver, etcd and kubectl
  /// @param folder is made, and holds links and copies
  public ClusterAssets assets(Path programs, Path folder) throws IOException {
    var definitions = Preparation.printed("kyverno-crds", version);
    var crds = Files.createDirectories(folder.resolve("crds"));
    Files.createSymbolicLink(folder.resolve("bin"), programs.toAbsolutePath());
    try (Stream<Path> files = Files.walk(definitions)) {
      for (var file : files.filter(each -> each.toString().endsWith(".yaml")).toList()) {
        Files.copy(file, crds.resolve(file.getFileName()));
      }
    }
    return new ClusterAssets(folder);
  }
}
