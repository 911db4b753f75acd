package dev.policysync.testcluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;

/// What a pod finds under `/var/run/secrets/kubernetes.io/serviceaccount`, for a process that is
/// none.
public final class ServiceAccountFolder {
  private final TestCluster cluster;
  private final Path folder;

  private ServiceAccountFolder(TestCluster cluster, Path folder) {
    this.cluster = cluster;
    this.folder = folder;
  }

  /// Writes token, certificate authority and namespace of a pod in that namespace.
  public static ServiceAccountFolder write(
      TestCluster cluster, Path folder, String namespace, String token) throws IOException {
    Files.createDirectories(folder);
    Files.copy(cluster.certificateAuthority(), folder.resolve("ca.crt"));
    Files.writeString(folder.resolve("namespace"), namespace);
    var written = new ServiceAccountFolder(cluster, folder);
    written.replaceToken(token);
    return written;
  }

  /// Puts another token in place at once, as the kubelet does before the old one expires.
  public void replaceToken(String token) throws IOException {
    var fresh = Files.writeString(folder.resolve("..token"), token);
    Files.move(fresh, folder.resolve("token"), StandardCopyOption.ATOMIC_MOVE);
  }

  /// What the kubelet adds to the environment.
  public Map<String, String> environment() {
    return Map.of(
        "KUBERNETES_SERVICE_HOST", cluster.url().host(),
        "KUBERNETES_SERVICE_PORT", Integer.toString(cluster.url().port()));
  }

  /// Where the files are.
  public Path path() {
    return folder;
  }
}
