package dev.policysync.install;

import dev.policysync.base.CanonicalJson;
import dev.policysync.base.Value;
import dev.policysync.endtoend.EndToEnd;
import dev.policysync.harness.Feeds;
import dev.policysync.policy.PolicyKind;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.KindExamples;
import dev.policysync.testcluster.TimeLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/// What the chart installs, on the real API server, and an agent with its rights.
abstract class Installed extends EndToEnd {
  static final String NAMESPACE = "insights-agent";
  static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/" + NAMESPACE + "/leases/";

  final Manifests chart = Manifests.of(Chart.rendered("minimal", NAMESPACE));

  @BeforeEach
  void install() {
    createNamespace(NAMESPACE);
    chart.apply(cluster.admin(), NAMESPACE);
    agent
        .as(cluster.serviceAccountToken(NAMESPACE, "kyverno-policy-sync"))
        .with("NAMESPACE", NAMESPACE);
  }

  @AfterEach
  void forgetTheLease() {
    cluster.admin().delete(LEASES + "kyverno-policy-sync-lock");
  }

  /// Takes a permission away; the API server hears of it a moment later.
  void without(Value.Mapping role, Permission permission) {
    var changed = permission.takenFrom(role);
    var path = Manifests.path(changed, NAMESPACE);
    cluster
        .admin()
        .apply(path + "?fieldManager=test&force=true", CanonicalJson.write(changed))
        .ok();
    var review =
        Documents.yaml(
            "{spec: {user: 'system:serviceaccount:%s:kyverno-policy-sync', resourceAttributes: {namespace: %s, verb: %s, resource: %s, group: %s, name: '%s'}}}"
                .formatted(
                    NAMESPACE,
                    NAMESPACE,
                    permission.verb(),
                    permission.resource(),
                    permission.group(),
                    permission.name()));
    Awaitility.await("the API server to know that nobody may " + permission)
        .atMost(TimeLimits.WAIT)
        .pollInterval(Duration.ofMillis(20))
        .until(() ->
            !allowed(
                cluster
                    .admin()
                    .post("/apis/authorization.k8s.io/v1/subjectaccessreviews", review)
                    .ok()));
  }

  private static boolean allowed(Value.Mapping review) {
    return new Value.Bool(true).equals(review.mapping("status").field("allowed").orElse(null));
  }

  /// The example of each kind under each of these names.
  String feed(List<PolicyKind> kinds, String... names) {
    var documents = new ArrayList<String>();
    for (var kind : kinds) {
      var manifest = KindExamples.of(kind, namespace).content();
      for (var name : names) {
        var metadata =
            manifest
                .mapping("metadata")
                .with("name", name)
                .with(
                    "annotations",
                    manifest.mapping("metadata").mapping("annotations").with("note", "old"));
        documents.add(CanonicalJson.write(manifest.with("metadata", metadata)) + "\n");
      }
    }
    return Feeds.of(documents.toArray(String[]::new));
  }
}
