package dev.policysync.install;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.testcluster.TimeLimits;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A Kyverno whose Deployment has another name (`nameOverride` of its chart) is found only by a
/// list, which `rbac.kyvernoNamespace` allows in that namespace and nowhere else.
class RenamedKyvernoIT extends Installed {
  private static final String GUARD = "guard";
  private static final String DEPLOYMENT =
      "/apis/apps/v1/namespaces/" + GUARD + "/deployments/engine-admission-controller";
  private static final String WEBHOOKS =
      "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/"
          + "kyverno-policy-validating-webhook-cfg";

  private final Manifests allowed =
      new Manifests(
          Manifests.of(Chart.with("rbac.kyvernoNamespace", GUARD)).objects().stream()
              .filter(
                  object -> object.mapping("metadata").text("namespace").equals(Optional.of(GUARD)))
              .toList());

  @BeforeEach
  void haveAnotherName() {
    createNamespace(GUARD);
    cluster
        .admin()
        .apply(
            DEPLOYMENT + "?fieldManager=test",
            """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: engine-admission-controller, labels: {app.kubernetes.io/component: admission-controller}}
            spec:
              selector: {matchLabels: {a: engine}}
              template:
                metadata: {labels: {a: engine}}
                spec: {containers: [{name: engine, image: "reg.kyverno.io/kyverno/kyverno:v1.18.2"}]}
            """)
        .ok();
    cluster
        .admin()
        .apply(
            WEBHOOKS + "?fieldManager=test&force=true",
            """
            apiVersion: admissionregistration.k8s.io/v1
            kind: ValidatingWebhookConfiguration
            metadata: {name: kyverno-policy-validating-webhook-cfg}
            webhooks:
              - name: validate-policy.kyverno.svc
                clientConfig: {service: {namespace: guard, name: engine-svc}, caBundle: "Cg=="}
                sideEffects: None
                admissionReviewVersions: [v1]
                failurePolicy: Ignore
                rules: [{apiGroups: [none.example], apiVersions: [v1], operations: [CREATE], resources: [nothing]}]
            """)
        .ok();
  }

  @AfterEach
  void leaveNoKyverno() {
    allowed.delete(cluster.admin(), NAMESPACE);
    cluster.admin().delete(WEBHOOKS).ok();
    cluster.admin().delete(DEPLOYMENT).ok();
  }

  @Test
  void isFoundOnceTheChartAllowsToListInItsNamespace() {
    var before = agent.run("check");

    allowed.apply(cluster.admin(), NAMESPACE);
    // The API server hears of it a moment later.
    var after =
        Awaitility.await("the Deployment to be found")
            .atMost(TimeLimits.WAIT)
            .until(() -> agent.run("check").all(), said -> said.contains("v1.18.2"));

    assertThat(before.all())
        .contains("list Deployments in guard", "add the verb list on deployments.apps")
        .doesNotContain("v1.18.2");
    assertThat(after).doesNotContain("list Deployments in guard");
    assertThat(allowed.objects())
        .extracting(Manifests::kind)
        .containsExactly("Role", "RoleBinding");
    var rule = allowed.only("Role").mappings("rules").getFirst();
    assertThat(allowed.only("Role").items("rules")).hasSize(1);
    assertThat(List.of(rule.texts("apiGroups"), rule.texts("resources"), rule.texts("verbs")))
        .containsExactly(List.of("apps"), List.of("deployments"), List.of("list"));
  }
}
