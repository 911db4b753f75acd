package dev.policysync.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.policysync.base.Value;
import dev.policysync.policy.PolicyKind;
import dev.policysync.remote.cluster.ClusterReports;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.RealCluster;
import dev.policysync.testcluster.Sandbox;
import dev.policysync.testcluster.Sandbox.Rule;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Reports in a real API server, whose schemas and lists decide what there is.
@RealCluster
class ClusterReportsIT {
  private Sandbox sandbox;
  private final List<String> namespaces = new ArrayList<>();

  @BeforeEach
  void enter(Sandbox sandbox) {
    this.sandbox = sandbox;
    for (var name : List.of("one", "two", "three", "four", "five")) {
      namespaces.add(sandbox.namespace(name));
    }
  }

  @AfterEach
  void leaveNoReports() {
    for (var kind : ReportKind.values()) {
      for (var namespace : kind.isClusterScoped() ? List.of("") : namespaces) {
        sandbox.admin().delete(path(kind, namespace)).ok();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void findsWhatIsThereInEveryLayout(long seed) {
    var later = Instant.now().plus(Duration.ofDays(1)).getEpochSecond();
    var reports = new GeneratedReports(seed, later, namespaces);
    store(reports.stored());

    try (var collectedReports = collect(sandbox.cluster().adminToken());
        var findings = collectedReports.stream()) {
      assertThat(findings.map(ClusterReportsIT::line).sorted())
          .containsExactlyElementsOf(reports.expected());
      assertThat(collectedReports.totals().all().total()).isEqualTo(reports.counted());
      assertThat(UploadSchema.problems(ReportSamples.text(collectedReports.upload()))).isEmpty();
    }
  }

  @Test
  void r8ReadsMoreThanFitsOnOnePage() {
    var reports = new ArrayList<GeneratedReports.Stored>();
    for (var i = 0; i < 501; i++) {
      var result = "{\"policy\":\"p\",\"rule\":\"r\",\"result\":\"fail\"}";
      reports.add(
          new GeneratedReports.Stored(
              ReportKind.POLICY_REPORT,
              namespaces.getFirst(),
              "{\"apiVersion\":\"wgpolicyk8s.io/v1alpha2\",\"kind\":\"PolicyReport\",\"metadata\":{\"name\":\"r%d\"},\"results\":[%s]}"
                  .formatted(i, result)));
    }
    store(reports);

    try (var collectedReports = collect(sandbox.cluster().adminToken())) {
      assertThat(collectedReports.totals().all().fail()).isEqualTo(501);
    }
  }

  @Test
  void needsNoMoreThanItsRightsAndSaysWhichOneIsMissing() {
    var rules = new ArrayList<Rule>();
    for (var kind : PolicyKind.all()) {
      rules.add(new Rule(kind.group(), List.of(kind.plural()), List.of("list")));
    }
    for (var kind : ReportKind.values()) {
      rules.add(new Rule(kind.group(), List.of(kind.plural()), List.of("list")));
    }
    var all = sandbox.tokenOf("reporter", rules.toArray(Rule[]::new));
    var without =
        sandbox.tokenOf("forbidden", rules.subList(0, rules.size() - 1).toArray(Rule[]::new));

    collect(all).close();

    assertThatThrownBy(() -> collect(without))
        .isInstanceOf(CollectionFailed.class)
        .hasMessageContaining("list ClusterReport.openreports.io: HTTP 403")
        .hasMessageContaining("add the verb list on clusterreports.openreports.io");
  }

  @Test
  void readsALabelOfTheNamespacesWhereThatIsAllowed() {
    var mayList = sandbox.tokenOf("lister", new Rule("", List.of("namespaces"), List.of("list")));
    var mayNot = sandbox.tokenOf("stranger");

    assertThat(reports(mayList).namespaceLabels("kubernetes.io/metadata.name"))
        .hasValueSatisfying(values ->
            assertThat(values)
                .containsAllEntriesOf(Map.of(namespaces.getFirst(), namespaces.getFirst())));
    assertThat(reports(mayList).namespaceLabels("nobody.example/has")).contains(Map.of());
    assertThat(reports(mayNot).namespaceLabels("kubernetes.io/metadata.name")).isEmpty();
  }

  @Test
  void r7ReadsKyvernosVersionFromItsDeployment() {
    var deployments = "/apis/apps/v1/namespaces/kyverno/deployments";
    sandbox
        .admin()
        .post("/api/v1/namespaces", Documents.yaml("{kind: Namespace, metadata: {name: kyverno}}"));
    sandbox
        .admin()
        .post(
            deployments,
            Documents.yaml(
                """
                kind: Deployment
                metadata: {name: kyverno-admission-controller}
                spec:
                  selector: {matchLabels: {a: b}}
                  template:
                    metadata: {labels: {a: b}}
                    spec:
                      containers:
                        - {name: sidecar, image: "example/sidecar:1"}
                        - {name: kyverno, image: "registry.example:5000/kyverno/kyverno:v1.19.0@sha256:0123"}
                """))
        .ok();
    try {
      var mayRead =
          sandbox.tokenOf("reader", new Rule("apps", List.of("deployments"), List.of("get")));
      var mayNot = sandbox.tokenOf("stranger");

      assertThat(reports(mayRead).kyvernoVersion()).contains("v1.19.0");
      assertThat(reports(mayNot).kyvernoVersion()).isEmpty();
    } finally {
      sandbox.admin().delete(deployments + "/kyverno-admission-controller").ok();
    }
  }

  @Test
  void r7FindsKyvernoByItsLabelWhereItsWebhookPointsAndTakesNoSidecarForIt() {
    var admin = sandbox.admin();
    var webhooks = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
    var deployments = "/apis/apps/v1/namespaces/guards/deployments";
    admin.post("/api/v1/namespaces", Documents.yaml("{kind: Namespace, metadata: {name: guards}}"));
    admin
        .post(
            webhooks,
            Documents.yaml(
                """
                kind: ValidatingWebhookConfiguration
                metadata: {name: kyverno-policy-validating-webhook-cfg}
                webhooks:
                  - name: validate-policy.kyverno.svc
                    clientConfig: {service: {namespace: guards, name: warden-svc}}
                    admissionReviewVersions: [v1]
                    sideEffects: None
                    objectSelector: {matchLabels: {nothing: matches}}
                """))
        .ok();
    admin
        .post(deployments, admissionController("gate", "{name: gate, image: example/gate:2}"))
        .ok();
    admin
        .post(
            deployments,
            admissionController(
                "warden-admission-controller",
                "{name: mesh, image: example/mesh:1}, {name: warden, image: example/kyverno:v1.18.2}"))
        .ok();
    try {
      var webhook =
          new Rule(
              "admissionregistration.k8s.io",
              List.of("validatingwebhookconfigurations"),
              List.of("get"));
      var lists =
          sandbox.tokenOf(
              "lists", webhook, new Rule("apps", List.of("deployments"), List.of("get", "list")));
      var gets =
          sandbox.tokenOf(
              "gets", webhook, new Rule("apps", List.of("deployments"), List.of("get")));

      assertThat(reports(lists).kyvernoVersion()).contains("v1.18.2");
      assertThat(reports(gets).kyvernoVersion()).isEmpty();
    } finally {
      admin.delete(webhooks + "/kyverno-policy-validating-webhook-cfg").ok();
      admin.delete(deployments + "/gate").ok();
      admin.delete(deployments + "/warden-admission-controller").ok();
    }
  }

  private static Value.Mapping admissionController(String name, String containers) {
    return Documents.yaml(
        """
        kind: Deployment
        metadata:
          name: %s
          labels:
            app.kubernetes.io/component: admission-controller
            app.kubernetes.io/version: 3.8.2
        spec:
          selector: {matchLabels: {a: %1$s}}
          template:
            metadata: {labels: {a: %1$s}}
            spec: {containers: [%s]}
        """
            .formatted(name, containers));
  }

  private CollectedReports collect(String token) {
    return new Collector(
            reports(token),
            List.of(Path.of(System.getProperty("java.io.tmpdir"))),
            UploadContent.AS_THE_GO_AGENT)
        .collect();
  }

  private ClusterReports reports(String token) {
    return new ClusterReports(sandbox.cluster().connect(token));
  }

  private static String line(Finding finding) {
    var resource = finding.resource();
    return "%s %s %s %s/%s/%s +%d"
        .formatted(
            finding.result(),
            finding.policy().source(),
            finding.policy().name(),
            resource.kind(),
            resource.namespace(),
            resource.name(),
            finding.pods());
  }

  private void store(List<GeneratedReports.Stored> reports) {
    var pending = new ArrayList<Future<?>>();
    try (var threads = Executors.newFixedThreadPool(8)) {
      for (var report : reports) {
        pending.add(
            threads.submit(() ->
                sandbox
                    .admin()
                    .post(path(report.kind(), report.namespace()), Documents.json(report.json()))
                    .ok()));
      }
    }
    for (var one : pending) {
      try {
        one.get();
      } catch (InterruptedException | ExecutionException e) {
        throw new AssertionError("a report was not taken", e);
      }
    }
  }

  private static String path(ReportKind kind, String namespace) {
    return "/apis/"
        + kind.group()
        + (kind.isOpenReports() ? "/v1alpha1" : "/v1alpha2")
        + (namespace.isEmpty() ? "" : "/namespaces/" + namespace)
        + "/"
        + kind.plural();
  }
}
