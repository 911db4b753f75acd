package dev.policysync.testcluster;

import dev.policysync.base.CanonicalJson;
import dev.policysync.base.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A kubeconfig in the making.
public final class KubeconfigFile {
  private final List<Value> clusters = new ArrayList<>();
  private final List<Value> users = new ArrayList<>();
  private final List<Value> contexts = new ArrayList<>();
  private String currentContext = "";

  /// One context, of the admin of that cluster.
  public static KubeconfigFile ofAdmin(TestCluster cluster) {
    return new KubeconfigFile()
        .cluster("test", cluster)
        .user("admin", cluster.adminToken())
        .context("test", "test", "admin", "default");
  }

  /// Names a cluster.
  public KubeconfigFile cluster(String name, TestCluster cluster) {
    return cluster(
        name,
        Map.of(
            "server", new Value.Text(cluster.url().toString()),
            "certificate-authority", new Value.Text(cluster.certificateAuthority().toString())));
  }

  /// Names a cluster with whatever fields.
  public KubeconfigFile cluster(String name, Map<String, Value> fields) {
    clusters.add(named(name, "cluster", fields));
    return this;
  }

  /// Names a user with whatever fields.
  public KubeconfigFile user(String name, Map<String, Value> fields) {
    users.add(named(name, "user", fields));
    return this;
  }

  /// Names a user who has a token.
  public KubeconfigFile user(String name, String token) {
    return user(name, Map.of("token", new Value.Text(token)));
  }

  /// Names a context; the first one is the current one.
  public KubeconfigFile context(String name, String cluster, String user, String namespace) {
    var fields =
        Map.<String, Value>of(
            "cluster", new Value.Text(cluster),
            "user", new Value.Text(user),
            "namespace", new Value.Text(namespace));
    contexts.add(named(name, "context", fields));
    currentContext = currentContext.isEmpty() ? name : currentContext;
    return this;
  }

  /// Writes it; JSON is YAML too.
  public Path write(Path file) throws IOException {
    var config =
        new Value.Mapping(
            Map.of(
                "apiVersion", new Value.Text("v1"),
                "kind", new Value.Text("Config"),
                "clusters", new Value.Sequence(clusters),
                "users", new Value.Sequence(users),
                "contexts", new Value.Sequence(contexts),
                "current-context", new Value.Text(currentContext)));
    return Files.writeString(file, CanonicalJson.write(config));
  }

  private static Value named(String name, String field, Map<String, Value> fields) {
    return new Value.Mapping(
        Map.of("name", new Value.Text(name), field, new Value.Mapping(fields)));
  }
}
