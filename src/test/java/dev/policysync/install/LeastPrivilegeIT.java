package dev.policysync.install;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.harness.Feeds;
import dev.policysync.policy.PolicyKind;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.TimeLimits;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What the chart installs, on the real API server: with its rights, which are those in `rbac/`,
/// the agent does its whole job, and without any single permission in them one step fails and says
/// which permission is missing. For those on policies see [PolicyPermissionsIT].
class LeastPrivilegeIT extends Installed {
  private static final String EVENTS = "/apis/events.k8s.io/v1/namespaces/" + NAMESPACE + "/events";

  @Test
  void doesItsWholeJobOnEveryKind() {
    var kinds = PolicyKind.all();
    insights.expects(feed(kinds, "changes"));
    var first = agent.run();
    insights.expects(
        feed(kinds, "changes", "appears").replace("\"note\":\"old\"", "\"note\":\"new\""));
    var preview = agent.run("diff");

    var second = agent.run();
    insights.expects(feed(kinds, "changes").replace("\"note\":\"old\"", "\"note\":\"newest\""));
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
  @CsvSource({
    "get, acquire the Lease",
    "create, acquire the Lease",
    "update, record state on the Lease"
  })
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
  @CsvSource({
    "get, leases, kyverno-policy-sync-lock, true",
    "patch, leases, kyverno-policy-sync-lock, true",
    "update, leases, kyverno-policy-sync-lock, false",
    "delete, leases, kyverno-policy-sync-lock, false",
    "create, leases, '', false",
    "patch, leases, another, false",
    "get, secrets, insights-token, false"
  })
  void letsApproversPatchTheLeaseAndReachNothingElse(
      String verb, String resource, String name, boolean allowed) {
    Manifests.of(Chart.rendered("approvers", NAMESPACE)).apply(cluster.admin(), NAMESPACE);
    var group = resource.equals("leases") ? "coordination.k8s.io" : "";
    var review =
        Documents.yaml(
            "{spec: {user: bob, groups: [platform-oncall], resourceAttributes: {namespace: %s, verb: %s, resource: %s, group: '%s', name: '%s'}}}"
                .formatted(NAMESPACE, verb, resource, group, name));

    Awaitility.await("the API server to know the Role")
        .atMost(TimeLimits.WAIT)
        .untilAsserted(() ->
            assertThat(
                    cluster
                        .admin()
                        .post("/apis/authorization.k8s.io/v1/subjectaccessreviews", review)
                        .ok()
                        .mapping("status")
                        .field("allowed"))
                .contains(new Value.Bool(allowed)));
  }

  private void anHourPasses() {
    for (var event : cluster.admin().get(EVENTS).ok().mappings("items")) {
      cluster
          .admin()
          .merge(
              EVENTS + "/" + event.mapping("metadata").text("name").orElseThrow(),
              Documents.yaml(
                  "{series: {count: 2, lastObservedTime: \"2026-01-01T00:00:00.000000Z\"}}"))
          .ok();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"create", "get", "patch"})
  void namesWhateverPermissionOnEventsIsTakenAway(String verb) {
    insights.expects(Feeds.clusterPolicy("refused", "Audit").replace("kinds: [Pod]", "kinds: 5"));
    var first = agent.run();
    without(chart.only("Role"), Permission.ofEvents(verb));
    // The same event once more is counted in the one that there is, after an hour.
    var name = verb.equals("create") ? "another" : "refused";
    insights.expects(Feeds.clusterPolicy(name, "Audit").replace("kinds: [Pod]", "kinds: 5"));
    anHourPasses();

    var again = agent.run();

    assertThat(texts(first, "warnings")).isEmpty();
    assertThat(texts(again, "failed")).containsExactly(name);
    assertThat(texts(again, "warnings"))
        .containsExactly(
            "some Events could not be written: "
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
        .contains(
            "add the verb "
                + permission.verb()
                + " on "
                + permission.resource()
                + "."
                + permission.group());
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
}
