package dev.policysync.remote.cluster;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.policysync.base.Value;
import dev.policysync.plan.Action;
import dev.policysync.plan.Failure;
import dev.policysync.plan.PlannedPolicy;
import dev.policysync.policy.PolicyKind;
import dev.policysync.remote.cluster.policy.ClusterPolicies;
import dev.policysync.sync.execution.ClusterUnavailable;
import dev.policysync.sync.execution.PolicyStore.Written;
import dev.policysync.sync.execution.WriteMode;
import dev.policysync.testcluster.AdmissionWebhook;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.KindExamples;
import dev.policysync.testcluster.RawApi;
import dev.policysync.testcluster.RealCluster;
import dev.policysync.testcluster.Sandbox;
import dev.policysync.testcluster.TimeLimits;
import java.util.List;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// How the API server says no, and what is made of it.
@RealCluster
class ApiErrorClassifierIT {
  private static final String ADMISSION = "/apis/admissionregistration.k8s.io/v1/";

  /// A webhook's template for a text of the policy that it judges.
  private static final String QUOTED =
      "{{jsonPath request.body '$.request.object.spec.conditions[0].expression'}}";

  private final Action.Create create =
      new Action.Create(PlannedPolicy.desired(KindExamples.of(PolicyKind.DELETING_POLICY, "none")));
  private Sandbox sandbox;
  private ClusterPolicies policies;

  @BeforeEach
  void listOnce(Sandbox sandbox) {
    this.sandbox = sandbox;
    this.policies = policies(sandbox.cluster().adminToken());
  }

  @Test
  void aWebhookThatCannotBeReachedMayBeBackLater() {
    try (var webhook = webhook()) {
      webhook.stops();
      var log = sandbox.cluster().auditLog();

      var written = policies.apply(create, WriteMode.LIVE);

      assertUnreachable(failure(written), "; check that Kyverno is running");
      assertThat(failure(written).reason()).contains("connection refused");
      assertThat(log.entries()).hasSize(1);
    }
  }

  @Test
  void aWebhookThatSaysNothingMayBeBackLater() {
    try (var webhook = webhook()) {
      webhook.answers(aResponse().withFixedDelay(5_000));

      var written = policies.apply(create, WriteMode.LIVE);

      assertUnreachable(
          failure(written), "; Kyverno may be overloaded: lower CONCURRENCY to reduce the load");
      assertThat(failure(written).reason()).contains("context deadline exceeded");
    }
  }

  @Test
  void aWebhookThatBreaksDownMayBeBackLaterAndItsAnswerIsNotRepeated() {
    try (var webhook = webhook()) {
      webhook.answers(aResponse().withStatus(500).withBody("while judging " + QUOTED));

      var written = policies.apply(create, WriteMode.LIVE);

      assertUnreachable(failure(written), "; check that Kyverno is running");
      assertThat(failure(written).reason())
          .contains("while judging")
          .doesNotContain(expressionOf(create));
    }
  }

  @Test
  void aWebhookThatAnswersNonsenseMayBeBackLater() {
    try (var webhook = webhook()) {
      webhook.answers(aResponse().withStatus(200).withBody(QUOTED));

      var written = policies.apply(create, WriteMode.LIVE);

      assertUnreachable(failure(written), "; check that Kyverno is running");
      assertThat(failure(written).reason()).doesNotContain(expressionOf(create));
    }
  }

  @Test
  void aWebhooksDenialIsForGoodAndAskedForOnce() {
    try (var webhook = webhook()) {
      webhook.denies(400, "path: spec.conditions: it says " + QUOTED + ", which is wrong");
      var log = sandbox.cluster().auditLog();

      var written = policies.apply(create, WriteMode.LIVE);

      assertThat(failure(written))
          .isEqualTo(
              new Failure(
                  Failure.Cause.DENIED,
                  "apply DeletingPolicy/expired-previews: HTTP 400, admission webhook"
                      + " \"said.example.com\" denied the request: path: spec.conditions: it"
                      + " says …,"
                      + " which is wrong"));
      assertThat(failure(written).retryable()).isFalse();
      assertThat(log.entries()).hasSize(1);
    }
  }

  @Test
  void aWebhooksWarningIsPassedOnInOneLineAndWithoutThePolicy() {
    try (var webhook = webhook()) {
      webhook.allows("it is deprecated", "look at " + QUOTED);

      var written = policies.apply(create, WriteMode.LIVE);

      assertThat(written).isEqualTo(new Written.Done(List.of("it is deprecated", "look at …")));
    }
  }

  @Test
  void aDenialIsForGood() {
    sandbox.admin().post(ADMISSION + "validatingadmissionpolicies", Documents.yaml(DENYING)).ok();
    sandbox
        .admin()
        .post(ADMISSION + "validatingadmissionpolicybindings", Documents.yaml(BINDING))
        .ok();
    Awaitility.await("the API server to heed its new policy")
        .atMost(TimeLimits.WAIT)
        .until(() -> policies.apply(create, WriteMode.DRY_RUN) instanceof Written.Refused);

    var written = policies.apply(create, WriteMode.LIVE);

    assertThat(failure(written).cause()).isEqualTo(Failure.Cause.DENIED);
    assertThat(failure(written).retryable()).isFalse();
    assertThat(failure(written).reason()).contains("not here");
  }

  @Test
  void aMissingNamespaceIsNamed() {
    var example = KindExamples.of(PolicyKind.NAMESPACED_POLICY, "nowhere");

    var written = policies.apply(new Action.Create(PlannedPolicy.desired(example)), WriteMode.LIVE);

    assertThat(failure(written))
        .isEqualTo(
            new Failure(
                Failure.Cause.NOT_FOUND,
                "apply Policy/nowhere/limit-replicas: HTTP 404, namespaces \"nowhere\" not found;"
                    + " create the namespace first"));
  }

  @Test
  void aForbiddenWriteNamesVerbAndResource() {
    var reader =
        policies(
            sandbox.tokenOf(
                "reader", new Sandbox.Rule("policies.kyverno.io", List.of("*"), List.of("list"))));
    policies.apply(create, WriteMode.LIVE);
    var seen = policies.find(create.id()).orElseThrow().objectVersion();

    var applied =
        reader.apply(
            new Action.Update(create.desired(), seen, Action.Cause.CHANGED), WriteMode.LIVE);
    var removed = reader.remove(new Action.Remove(create.id(), seen, Set.of()), WriteMode.LIVE);

    assertThat(List.of(failure(applied).cause(), failure(removed).cause()))
        .containsOnly(Failure.Cause.FORBIDDEN);
    assertThat(failure(applied).reason())
        .startsWith("apply DeletingPolicy/expired-previews: HTTP 403, ")
        .contains("cannot patch resource \"deletingpolicies\"")
        .endsWith(
            "; add the verb patch on deletingpolicies.policies.kyverno.io to the agent's"
                + " ClusterRole");
    assertThat(failure(removed).reason())
        .startsWith("remove DeletingPolicy/expired-previews: HTTP 403, ")
        .contains("cannot delete resource \"deletingpolicies\"")
        .endsWith(
            "; add the verb delete on deletingpolicies.policies.kyverno.io to the agent's"
                + " ClusterRole");
  }

  @Test
  void aNamespaceThatIsBeingDeletedMayBeGoneLater() {
    var doomed = sandbox.namespace("doomed");
    sandbox.admin().delete("/api/v1/namespaces/" + doomed).ok(); // its controller does not run here
    var example = KindExamples.of(PolicyKind.NAMESPACED_POLICY, doomed);

    var written = policies.apply(new Action.Create(PlannedPolicy.desired(example)), WriteMode.LIVE);

    assertThat(failure(written).cause()).isEqualTo(Failure.Cause.TERMINATING);
    assertThat(failure(written).retryable()).isTrue();
    assertThat(failure(written).reason())
        .contains("HTTP 403", "in namespace " + doomed + " because it is being terminated")
        .endsWith("; the namespace is being deleted: create it again once it is gone")
        .doesNotContain("ClusterRole");
  }

  @Test
  void aKindThatIsBeingDeletedMayBeGoneLater() {
    var plural = "namespaceddeletingpolicies.policies.kyverno.io";
    var namespace = sandbox.namespace("shop");
    var example = KindExamples.of(PolicyKind.NAMESPACED_DELETING_POLICY, namespace);
    var created = new Action.Create(PlannedPolicy.desired(example));
    assertThat(policies.apply(created, WriteMode.LIVE)).isInstanceOf(Written.Done.class);
    var path = RawApi.path(example.id(), example.id().kind().versions().getFirst());
    sandbox
        .admin()
        .merge(path, Documents.yaml("{metadata: {finalizers: [example.com/kept]}}"))
        .ok();
    var another =
        Documents.policy(
            example
                .content()
                .with("metadata", example.content().mapping("metadata").with("name", "late")));
    var definition = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/" + plural;
    try {
      sandbox.admin().delete(definition).ok();
      Awaitility.await("the API server to refuse what is new")
          .atMost(TimeLimits.WAIT)
          .until(() ->
              policies.apply(new Action.Create(PlannedPolicy.desired(another)), WriteMode.DRY_RUN)
                  instanceof Written.Refused);

      var written =
          policies.apply(new Action.Create(PlannedPolicy.desired(another)), WriteMode.LIVE);

      assertThat(failure(written).cause()).isEqualTo(Failure.Cause.TERMINATING);
      assertThat(failure(written).retryable()).isTrue();
      assertThat(failure(written).reason())
          .contains("not allowed while custom resource definition is terminating")
          .endsWith("; the kind's CRD is being deleted: install it again once it is gone");
    } finally {
      sandbox.admin().merge(path, Documents.yaml("{metadata: {finalizers: null}}"));
      // What is installed while the definition is terminating goes with it.
      Awaitility.await("the definition to be gone")
          .atMost(TimeLimits.WAIT)
          .until(() -> sandbox.admin().get(definition).status() == 404);
      sandbox.cluster().installCustomResources();
    }
  }

  @Test
  void anExhaustedQuotaIsCalledThat() {
    var namespace = sandbox.namespace("full");
    var quota = "/api/v1/namespaces/" + namespace + "/resourcequotas/policies";
    sandbox
        .admin()
        .apply(
            quota + "?fieldManager=test",
            "{apiVersion: v1, kind: ResourceQuota, metadata: {name: policies},"
                + " spec: {hard: {count/policies.kyverno.io: '0'}}}")
        .ok();
    var status = "{hard: {count/policies.kyverno.io: '0'}, used: {count/policies.kyverno.io: '0'}}";
    sandbox.admin().merge(quota + "/status", Documents.yaml("{status: " + status + "}")).ok();
    var example = KindExamples.of(PolicyKind.NAMESPACED_POLICY, namespace);
    var action = new Action.Create(PlannedPolicy.desired(example));
    Awaitility.await("the API server to heed the quota")
        .atMost(TimeLimits.WAIT)
        .until(() -> policies.apply(action, WriteMode.DRY_RUN) instanceof Written.Refused);

    var written = policies.apply(action, WriteMode.LIVE);

    assertThat(failure(written).retryable()).isFalse();
    assertThat(failure(written).reason())
        .contains("HTTP 403", "is forbidden: exceeded quota: policies")
        .endsWith("; a ResourceQuota of the namespace allows no more: raise it, or remove objects")
        .doesNotContain("ClusterRole");
  }

  @Test
  void aRefusalQuotesNothingOfThePolicy() {
    var secretive = KindExamples.of(PolicyKind.CLUSTER_POLICY, "none").content();
    var spec =
        Documents.yaml(
            """
            failurePolicy: s3cret
            background: s3cret
            webhookTimeoutSeconds: s3cret
            rules: [{name: "s3cret\\nname", match: s3cret}]
            """);
    var policy = Documents.policy(secretive.with("spec", spec));

    var written = policies.apply(new Action.Create(PlannedPolicy.desired(policy)), WriteMode.LIVE);

    assertThat(failure(written).reason()).doesNotContain("s3cret");
  }

  @Test
  void anApiServerThatIsDownIsNoRefusal() {
    sandbox.cluster().stopApiServer();
    try {

      assertThatThrownBy(() -> policies.apply(create, WriteMode.LIVE))
          .isInstanceOfSatisfying(
              ClusterUnavailable.class,
              e -> assertThat(e.failure().cause()).isEqualTo(Failure.Cause.UNREACHABLE));
    } finally {
      sandbox.cluster().startApiServer();
    }
  }

  private AdmissionWebhook webhook() {
    return AdmissionWebhook.on(sandbox.cluster(), PolicyKind.DELETING_POLICY);
  }

  private static String expressionOf(Action.Create create) {
    var condition = create.desired().manifest().mapping("spec").items("conditions").getFirst();
    return ((Value.Mapping) condition).text("expression").orElseThrow();
  }

  private static void assertUnreachable(Failure failure, String advice) {
    assertThat(failure.cause()).isEqualTo(Failure.Cause.WEBHOOK_UNREACHABLE);
    assertThat(failure.webhook()).contains(AdmissionWebhook.name());
    assertThat(failure.retryable()).isTrue();
    assertThat(failure.reason())
        .startsWith("apply DeletingPolicy/expired-previews: HTTP 500, ")
        .contains("failed calling webhook \"said.example.com\"")
        .endsWith(advice)
        .doesNotContain("\n");
  }

  private ClusterPolicies policies(String token) {
    var connected = new ClusterPolicies(sandbox.cluster().connect(token));
    connected.list();
    return connected;
  }

  private static Failure failure(Written written) {
    return ((Written.Refused) written).failure();
  }

  private static final String DENYING =
      """
      metadata: {name: no-deletions}
      spec:
        matchConstraints:
          resourceRules: [{apiGroups: [policies.kyverno.io], apiVersions: ["*"], operations: [CREATE], resources: [deletingpolicies]}]
        validations: [{expression: "false", message: not here}]
      """;

  private static final String BINDING =
      """
      metadata: {name: no-deletions}
      spec: {policyName: no-deletions, validationActions: [Deny]}
      """;
}
