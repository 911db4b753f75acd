package dev.policysync.testcluster;

import dev.policysync.policy.PolicyKind;
import java.util.ArrayList;
import java.util.List;

/// One test's part of the cluster: no policies of any kind at its begin, and namespaces that no
/// other test knows. Whatever policies the test leaves are removed at its end.
public final class Sandbox implements AutoCloseable {
  private final TestCluster cluster;
  private final RawApi admin;
  private final int number;
  private final List<String> namespaces = new ArrayList<>();

  private Sandbox(TestCluster cluster, int number) {
    this.cluster = cluster;
    this.admin = cluster.admin();
    this.number = number;
  }

  /// @param number of the test, for names that are used once
  static Sandbox in(TestCluster cluster, int number) {
    return new Sandbox(cluster, number);
  }

  /// The cluster that it is a part of.
  public TestCluster cluster() {
    return cluster;
  }

  /// The API as its admin, for what other people do.
  public RawApi admin() {
    return admin;
  }

  /// A namespace of this test alone; the same one for the same name.
  ///
  /// @param name how the test calls it: `shop`, which makes it `shop-17`
  public String namespace(String name) {
    var unique = name + "-" + number;
    if (!namespaces.contains(unique)) {
      admin
          .post(
              "/api/v1/namespaces",
              Documents.yaml("{kind: Namespace, metadata: {name: " + unique + "}}"))
          .ok();
      namespaces.add(unique);
    }
    return unique;
  }

  @Override
  public void close() {
    for (var kind : PolicyKind.all()) {
      if (!kind.namespaced()) {
        removeAll("", kind);
      } else {
        namespaces.forEach(namespace -> removeAll("/namespaces/" + namespace, kind));
      }
    }
  }

  /// At the version that is served, which is the first of ours as a rule.
  private void removeAll(String below, PolicyKind kind) {
    for (var version : kind.versions()) {
      var path = "/apis/" + kind.group() + "/" + version + below + "/" + kind.plural();
      var reply = admin.delete(path);
      if (reply.status() != 404) {
        reply.ok();
        return;
      }
    }
  }
}
