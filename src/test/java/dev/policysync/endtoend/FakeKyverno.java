package dev.policysync.endtoend;

import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.RawApi;
import dev.policysync.testcluster.TestCluster;
import java.time.Instant;

/// What Kyverno leaves in a cluster that says it is there: its Deployment, a webhook configuration
/// and the Lease of its health. Nothing of it runs, and the webhook matches nothing.
final class FakeKyverno {
  private static final String DEPLOYMENT =
      "/apis/apps/v1/namespaces/kyverno/deployments/kyverno-admission-controller";
  private static final String WEBHOOKS =
      "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/"
          + "kyverno-policy-validating-webhook-cfg";
  private static final String HEALTH =
      "/apis/coordination.k8s.io/v1/namespaces/kyverno/leases/kyverno-health";
  private static final String MANAGER = "?fieldManager=kyverno&force=true";

  private final TestCluster cluster;
  private final RawApi admin;

  FakeKyverno(TestCluster cluster) {
    this.cluster = cluster;
    this.admin = cluster.admin();
  }

  /// It is there, with that many of two replicas ready, and its webhooks were called just then.
  void install(int ready, Instant lastRequest) {
    install("v1.19.0", ready, lastRequest);
  }

  /// The same of another release.
  ///
  /// @param version its image's tag: `v1.20.0`
  void install(String version, int ready, Instant lastRequest) {
    admin
        .apply(
            DEPLOYMENT + MANAGER,
            """
            {"apiVersion": "apps/v1", "kind": "Deployment",
             "metadata": {"name": "kyverno-admission-controller", "labels": {"app.kubernetes.io/version": "1.19.0"}},
             "spec": {"replicas": 2, "selector": {"matchLabels": {"a": "kyverno"}},
                      "template": {"metadata": {"labels": {"a": "kyverno"}},
                                   "spec": {"containers": [{"name": "kyverno",
                                            "image": "reg.kyverno.io:443/kyverno/kyverno:%s@sha256:%s"}]}}}}
            """
                .formatted(version, "0".repeat(64)))
        .ok();
    admin
        .merge(
            DEPLOYMENT + "/status",
            Documents.yaml("{status: {replicas: 2, readyReplicas: " + ready + "}}"))
        .ok();
    webhookCalls(
        "\"service\": {\"namespace\": \"kyverno\", \"name\": \"kyverno-svc\"}, \"caBundle\": \"Cg==\"");
    admin
        .apply(
            HEALTH + MANAGER,
            """
            {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease",
             "metadata": {"name": "kyverno-health",
                          "annotations": {"kyverno.io/last-request-time": "%s"}}}
            """
                .formatted(lastRequest))
        .ok();
  }

  /// Its webhook calls something else.
  ///
  /// @param client fields of its clientConfig
  void webhookCalls(String client) {
    admin
        .apply(
            WEBHOOKS + MANAGER,
            """
            {"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingWebhookConfiguration",
             "metadata": {"name": "kyverno-policy-validating-webhook-cfg"},
             "webhooks": [{"name": "validate-policy.kyverno.svc", "clientConfig": {%s},
                           "sideEffects": "None", "admissionReviewVersions": ["v1"],
                           "rules": [{"apiGroups": ["kyverno.io"], "apiVersions": ["*"],
                                      "operations": ["CONNECT"], "resources": ["clusterpolicies"]}]}]}
            """
                .formatted(client))
        .ok();
  }

  /// Leaves of it what each test cluster has: the Lease by which it seems to run.
  void remove() {
    admin.delete(DEPLOYMENT);
    admin.delete(WEBHOOKS);
    cluster.letKyvernoRun();
  }
}
