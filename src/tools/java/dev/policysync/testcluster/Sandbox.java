package dev.policysync.testcluster;

import dev.policysync.policy.PolicyKind;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// One test's part of the cluster: no policies of any kind at its begin, and namespaces that no
/// other test knows. Whatever policies the test leaves are removed at its end.
public final class Sandbox implements AutoCloseable {
  private static final String ROLES = "/apis/rbac.authorization.k8s.io/v1/";

  private final TestCluster cluster;
  private final RawApi admin;
  private final int number;
  private final List<String> namespaces = new ArrayList<>();

  private Sandbox(TestCluster cluster, int number) {
    this.cluster = cluster;
    this.admin = cluster.admin();
    this.number = number;
  }

  /// A part of a cluster that its maker started; tests of [RealCluster] are handed theirs.
  ///
  /// @param number of the test, for names that are used once
  public static Sandbox in(TestCluster cluster, int number) {
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

  /// What a role allows.
  ///
  /// @param group empty for the core group
  public record Rule(String group, List<String> resources, List<String> verbs) {
    String json() {
      return "{\"apiGroups\": [\"%s\"], \"resources\": [\"%s\"], \"verbs\": [\"%s\"]}"
          .formatted(group, String.join("\", \"", resources), String.join("\", \"", verbs));
    }
  }

  /// The token of a ServiceAccount of this test alone, in the whole cluster allowed just that.
  public String tokenOf(String account, Rule... rules) {
    var namespace = namespace("accounts");
    var token = cluster.serviceAccountToken(namespace, account);
    var role = namespace + "-" + account;
    var allowed = Stream.of(rules).map(Rule::json).collect(Collectors.joining(", "));
    admin
        .post(
            ROLES + "clusterroles",
            Documents.yaml("{metadata: {name: " + role + "}, rules: [" + allowed + "]}"))
        .ok();
    admin
        .post(
            ROLES + "clusterrolebindings",
            Documents.yaml(
                """
                metadata: {name: %s}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: %s}
                subjects: [{kind: ServiceAccount, namespace: %s, name: %s}]
                """
                    .formatted(role, role, namespace, account)))
        .ok();
    return token;
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
