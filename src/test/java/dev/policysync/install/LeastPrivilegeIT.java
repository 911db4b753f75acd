package dev.policysync.install;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.endtoend.Agent;
import dev.policysync.endtoend.EndToEnd;
import dev.policysync.endtoend.Feeds;
import dev.policysync.policy.PolicyKind;
import dev.policysync.testcluster.Documents;
import dev.policysync.yaml.CanonicalJson;
import dev.policysync.yaml.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What the chart installs, on the real API server: with its rights, which are those in `rbac/`,
/// the agent does its whole job, and without any single permission in them one step fails and says
/// which permission is missing.
class LeastPrivilegeIT extends EndToEnd {
  private static final String NAMESPACE = "insights-agent";
  private static final String LEASES =
      "/apis/coordination.k8s.io/v1/namespaces/" + NAMESPACE + "/leases/";

  private final Manifests chart = Manifests.of(Chart.rendered("minimal", NAMESPACE));

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

  @Test
  void doesItsWholeJobOnEveryKind() {
    var kinds = PolicyKind.all();
    insights.expects(feed(kinds, "changes"));
    var first = agent.run();
    insights.expects(
        feed(kinds, "changes", "appears").replace("\"note\":\"old\"", "\"note\":\"new\""));
    var preview = agent.run("diff");

    var second = agent.run();
    insights.expects(feed(kinds, "changes"));
    var third = agent.with("MAX_REMOVALS", "100%").run();
    var report = agent.run("report");
    var check = agent.run("check");
    var export = agent.run("export");

    assertThat(List.of(first, preview, second, third, report, check, export))
        .allSatisfy(run -> assertThat(run.exitCode()).as(run.all()).isZero());
    assertThat(texts(second, "updated")).hasSize(kinds.size());
    assertThat(texts(third, "removed")).hasSize(kinds.size());
    assertThat(audit.entries())
        .filteredOn(entry -> entry.userAgent().startsWith("policy-sync/"))
        .allSatisfy(entry -> assertThat(entry.user()).endsWith(":kyverno-policy-sync"))
        .noneMatch(entry -> entry.status() == 403);
  }

  @ParameterizedTest
  @EnumSource
  void namesWhateverPermissionOnAKindIsTakenAway(PolicyKind kind) {
    insights.expects(feed(List.of(kind), "changes", "goes"));
    var first = agent.run();
    insights.expects(
        feed(List.of(kind), "changes", "appears").replace("\"note\":\"old\"", "\"note\":\"new\""));

    assertThat(first.exitCode()).as(first.all()).isZero();
    assertThat(preview(kind, "list")).contains("list " + kind.qualified());
    assertThat(preview(kind, "get")).contains("read " + policy(kind, "changes"));
    assertThat(preview(kind, "create")).contains("apply " + policy(kind, "appears"));
    assertThat(preview(kind, "patch")).contains("apply " + policy(kind, "changes"));
    assertThat(preview(kind, "delete")).contains("remove " + policy(kind, "goes"));
  }

  @ParameterizedTest
  @CsvSource({"get, take the Lease", "create, take the Lease", "update, note on the Lease"})
  void namesWhateverPermissionOnTheLeaseIsTakenAway(String verb, String step) {
    insights.expects(Feeds.clusterPolicy("applied", "Audit"));
    without(chart.only("Role"), Permission.ofLease(verb));

    var run = agent.run();

    assertThat(run.exitCode()).as(run.all()).isEqualTo(1);
    assertThat(run.stdout())
        .contains(
            step,
            "add the verb "
                + verb
                + " on leases.coordination.k8s.io to the agent's Role in namespace "
                + NAMESPACE);
    assertThat(exists("clusterpolicies", "applied")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"create", "get", "patch"})
  void namesWhateverPermissionOnEventsIsTakenAway(String verb) {
    insights.expects(Feeds.clusterPolicy("refused", "Audit").replace("kinds: [Pod]", "kinds: 5"));
    var first = agent.run();
    without(chart.only("Role"), Permission.ofEvents(verb));

    var again = agent.run(); // the same event once more: it is counted in the one that there is

    assertThat(texts(first, "warnings")).isEmpty();
    assertThat(texts(again, "failed")).containsExactly("refused");
    assertThat(texts(again, "warnings"))
        .containsExactly(
            "not all Events could be written: "
                + verb
                + " an Event: HTTP 403; add the verb "
                + verb
                + " on events.events.k8s.io to the agent's Role in namespace "
                + NAMESPACE);
  }

  @ParameterizedTest
  @MethodSource("ofReports")
  void namesWhateverPermissionOnReportsIsTakenAway(Permission permission) {
    without(chart.only("ClusterRole"), permission);

    var run = agent.run("report");

    assertThat(run.exitCode()).as(run.all()).isEqualTo(1);
    assertThat(run.stdout())
        .contains(
            "add the verb list on "
                + permission.resource()
                + "."
                + permission.group()
                + " to the agent's ClusterRole");
    assertThat(insights.reports()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("ofKyverno")
  void namesWhateverPermissionToLookAtKyvernoIsTakenAway(Permission permission) {
    without(chart.only("ClusterRole"), permission);

    var run = agent.run("check");

    assertThat(run.all())
        .contains("add the verb get on " + permission.resource() + "." + permission.group());
  }

  static Stream<Permission> ofReports() {
    return Permission.ofReports();
  }

  static Stream<Permission> ofKyverno() {
    return Permission.ofKyverno();
  }

  @Test
  void passesOnWhichRightAPolicyWithParametersNeeds() {
    insights.expects(
        """
        apiVersion: admissionregistration.k8s.io/v1
        kind: ValidatingAdmissionPolicy
        metadata: {name: replicas-by-parameter}
        spec:
          paramKind: {apiVersion: v1, kind: ConfigMap}
          matchConstraints:
            resourceRules:
              - {apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}
          validations: [{expression: "object.spec.replicas < 5"}]
        """);

    var run = agent.run();

    assertThat(run.exitCode()).as(run.all()).isEqualTo(1);
    assertThat(run.summary().items("errors").toString())
        .contains("must have \"get\" permission on all objects of the referenced paramKind");
  }

  /// What a preview says that lacks this one permission; RBAC judges a dry run as it does a write.
  private String preview(PolicyKind kind, String verb) {
    without(chart.only("ClusterRole"), Permission.of(verb, kind));

    Agent.Run run = agent.run("diff");

    assertThat(run.exitCode()).as(run.all()).isEqualTo(1);
    assertThat(run.all())
        .contains(
            "add the verb "
                + verb
                + " on "
                + kind.plural()
                + "."
                + kind.group()
                + " to the agent's ClusterRole");
    return run.all();
  }

  /// Takes a permission away; the API server hears of it a moment later.
  private void without(Value.Mapping role, Permission permission) {
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
        .atMost(Duration.ofSeconds(30))
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

  private String policy(PolicyKind kind, String name) {
    return kind.label() + "/" + (kind.namespaced() ? namespace + "/" : "") + name;
  }

  /// The example of each kind under each of these names.
  private String feed(List<PolicyKind> kinds, String... names) {
    var documents = new ArrayList<String>();
    for (var kind : kinds) {
      var manifest = Documents.example(kind, namespace).content();
      for (var name : names) {
        var metadata =
            manifest
                .mapping("metadata")
                .with("name", new Value.Text(name))
                .with(
                    "annotations",
                    manifest
                        .mapping("metadata")
                        .mapping("annotations")
                        .with("note", new Value.Text("old")));
        documents.add(CanonicalJson.write(manifest.with("metadata", metadata)) + "\n");
      }
    }
    return Feeds.of(documents.toArray(String[]::new));
  }
}
