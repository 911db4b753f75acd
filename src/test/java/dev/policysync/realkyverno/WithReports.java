package dev.policysync.realkyverno;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.harness.Feeds;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.TimeLimits;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/// Workloads that violate policies, and the reports that Kyverno makes of them.
abstract class WithReports extends WithKyverno {
  String team;
  Set<String> expected;
  private String apps;
  private String owner;

  @BeforeEach
  void haveWorkloadsThatViolatePolicies() {
    // Names of this test alone: without garbage collection, reports of other tests' workloads stay.
    team = "team-" + namespace;
    owner = "owner-" + namespace;
    apps = "/apis/apps/v1/namespaces/" + namespace;
    insights.expects(feed("Audit"));
    assertThat(agent.run().exitCode()).isZero();
    cluster.admin().post(pods(), pod("bare", "")).ok();
    cluster.admin().post(pods(), pod("named", "team: shop")).ok();
    deployment("cart", "");
    deployment("web", "team: shop");
    replicaOf("cart");
    expected =
        new TreeSet<>(
            Set.of(
                "fail " + team + " has-team Pod/" + namespace + "/bare 0",
                "fail " + team + " has-team Deployment/" + namespace + "/cart 2",
                "fail " + owner + "  Namespace//" + namespace + " 0"));
  }

  @AfterEach
  void leaveNoWorkloads() {
    for (var kind : new String[] {"deployments", "replicasets"}) {
      cluster.admin().delete(apps + "/" + kind).ok();
    }
    cluster.admin().delete(pods()).ok();
  }

  void awaitFindings() {
    Awaitility.await("the expected findings")
        .atMost(TimeLimits.WAIT)
        .pollInterval(Duration.ofSeconds(1))
        .untilAsserted(() -> assertThat(findings()).isEqualTo(expected));
  }

  /// `fail team has-team Deployment/shop/cart 2`, the last for its ReplicaSets and Pods that fail
  /// too. Kinds of CEL have no rules.
  private Set<String> findings() {
    var run = agent.run("report", "-o", "json");
    assertThat(run.exitCode()).as(run.all()).isZero();
    return run.summary().items("findings").stream()
        .map(Value.Mapping.class::cast)
        .map(WithReports::finding)
        .filter(
            finding -> finding.contains(" " + team + " ") || finding.contains(" " + owner + " "))
        .collect(toCollection(TreeSet::new));
  }

  private static String finding(Value.Mapping finding) {
    return "%s %s %s %s/%s/%s %s"
        .formatted(
            finding.text("result").orElse(""),
            finding.text("policy").orElse(""),
            finding.text("rule").orElse(""),
            finding.text("kind").orElse(""),
            finding.text("namespace").orElse(""),
            finding.text("name").orElse(""),
            finding.field("pods").orElse(Value.Null.NULL) instanceof Value.Numeric(var pods)
                ? pods
                : "");
  }

  private void deployment(String name, String labels) {
    cluster.admin().post(apps + "/deployments", workload("Deployment", name, "", labels)).ok();
  }

  /// What the controllers of Kubernetes would make of a Deployment.
  private void replicaOf(String deployment) {
    var owner = owner("Deployment", deployment, uid(apps + "/deployments/" + deployment));
    var set = deployment + "-7d9f8c6b5";
    cluster.admin().post(apps + "/replicasets", workload("ReplicaSet", set, owner, "")).ok();
    var pod = pod(set + "-x2k4q", "");
    var metadata =
        Documents.yaml("{" + owner("ReplicaSet", set, uid(apps + "/replicasets/" + set)) + "}");
    var owned =
        pod.mapping("metadata")
            .with("ownerReferences", metadata.field("ownerReferences").orElseThrow());
    cluster.admin().post(pods(), pod.with("metadata", owned)).ok();
  }

  private static String owner(String kind, String name, String uid) {
    return "ownerReferences: [{apiVersion: apps/v1, kind: %s, name: %s, uid: %s, controller: true}]"
        .formatted(kind, name, uid);
  }

  private String uid(String path) {
    return cluster.admin().get(path).ok().mapping("metadata").text("uid").orElseThrow();
  }

  private static Value.Mapping workload(String kind, String name, String owner, String labels) {
    return Documents.yaml(
        """
        apiVersion: apps/v1
        kind: %s
        metadata: {name: %s, labels: {%s}, %s}
        spec:
          selector: {matchLabels: {app: %2$s}}
          template:
            metadata: {labels: {app: %2$s, %3$s}}
            spec: {containers: [{name: main, image: "registry.fernside.example/main:1.0"}]}
        """
            .formatted(kind, name, labels, owner));
  }

  String feed(String action) {
    return Feeds.of(
        """
        apiVersion: kyverno.io/v1
        kind: ClusterPolicy
        metadata:
          name: %3$s
          annotations: {policies.kyverno.io/severity: high}
        spec:
          rules:
            - name: has-team
              match: {any: [{resources: {kinds: [Pod], namespaces: [%1$s]}}]}
              validate:
                failureAction: %2$s
                message: set the label team
                pattern: {metadata: {labels: {team: "?*"}}}
        """
            .formatted(namespace, action, team),
        """
        apiVersion: policies.kyverno.io/v1
        kind: ValidatingPolicy
        metadata: {name: %2$s}
        spec:
          validationActions: [Audit]
          matchConstraints:
            resourceRules:
              - {apiGroups: [""], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [namespaces]}
          matchConditions: [{name: ours, expression: object.metadata.name == '%1$s'}]
          validations:
            - {expression: "'owner' in object.metadata.?labels.orValue({})", message: set the label owner}
        """
            .formatted(namespace, owner));
  }
}
