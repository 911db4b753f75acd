package dev.policysync.endtoend;

import static dev.policysync.harness.Feeds.clusterPolicy;
import static dev.policysync.harness.Feeds.policy;
import static dev.policysync.harness.Feeds.validatingPolicy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.harness.Agent;
import dev.policysync.harness.Feeds;
import dev.policysync.policy.PolicyKind;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.Sandbox;
import dev.policysync.testcluster.Sandbox.Rule;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What the agent may do and what the cluster has: it does its job with few rights, and what it may
/// not see or does not find it leaves alone.
class RightsIT extends EndToEnd {
  private static final List<String> VERBS = List.of("list", "get", "create", "patch", "delete");
  private static final Rule LEASE =
      new Rule(
          "coordination.k8s.io", List.of("leases"), List.of("get", "create", "update", "patch"));

  private static final Rule EVENTS =
      new Rule("events.k8s.io", List.of("events"), List.of("create", "get", "patch"));

  private static final Rule REPORTS =
      new Rule("wgpolicyk8s.io", List.of("policyreports", "clusterpolicyreports"), List.of("list"));
  private static final Rule OPEN_REPORTS =
      new Rule("openreports.io", List.of("reports", "clusterreports"), List.of("list"));

  /// Where Kyverno's own service is, for its release.
  private static final Rule WEBHOOKS =
      new Rule(
          "admissionregistration.k8s.io",
          List.of("validatingwebhookconfigurations"),
          List.of("get"));

  /// The Lease that Kyverno renews, for whether it runs.
  private static final Rule HEALTH =
      new Rule("coordination.k8s.io", List.of("leases"), List.of("list"));

  private Sandbox sandbox;

  @BeforeEach
  void enter(Sandbox sandbox) {
    this.sandbox = sandbox;
  }

  @Test
  void doesItsWholeJobWithItsKindsAndTheLease() {
    agent.as(sandbox.tokenOf("agent", rules(PolicyKind.all().stream()).toArray(Rule[]::new)));
    insights.expects(
        Feeds.of(
            clusterPolicy("changes", "Audit"),
            policy(namespace, "goes"),
            validatingPolicy("drifts")));
    var first = agent.run();
    patch(
        "validatingpolicies",
        "drifts",
        "[{\"op\": \"add\", \"path\": \"/spec/matchConditions\","
            + " \"value\": [{\"name\": \"never\", \"expression\": \"false\"}]}]");
    insights.expects(Feeds.of(clusterPolicy("changes", "Enforce"), validatingPolicy("drifts")));

    var second = agent.run();
    var preview = agent.run("diff");

    assertThat(first.exitCode()).as(first.all()).isZero();
    assertThat(second.exitCode()).as(second.all()).isZero();
    assertThat(texts(second, "updated")).containsExactly("changes", "drifts");
    assertThat(texts(second, "removed")).containsExactly("goes");
    assertThat(preview.exitCode()).as(preview.all()).isZero();
    assertThat(audit.entries())
        .filteredOn(entry -> entry.userAgent().startsWith("policy-sync/"))
        .allSatisfy(entry -> assertThat(entry.user()).endsWith(":agent"))
        .noneMatch(entry -> entry.status() == 403);
  }

  @Test
  void leavesAKindAloneThatItMayNotList() {
    insights.expects(
        Feeds.of(
            clusterPolicy("stays", "Audit"),
            clusterPolicy("goes", "Audit"),
            validatingPolicy("unseen")));
    agent.run();
    var before = resourceVersion("validatingpolicies", "unseen");
    var seen = PolicyKind.all().stream().filter(kind -> kind != PolicyKind.VALIDATING_POLICY);
    agent.as(sandbox.tokenOf("half-blind", rules(seen).toArray(Rule[]::new)));
    insights.expects(Feeds.of(clusterPolicy("stays", "Enforce"), validatingPolicy("unseen")));

    var run = agent.run();

    assertThat(run.exitCode()).as(run.all()).isEqualTo(1);
    assertThat(texts(run, "updated")).containsExactly("stays");
    assertThat(texts(run, "failed")).containsExactly("unseen");
    assertThat(run.summary().items("errors").toString())
        .contains(
            "add the verb list on validatingpolicies.policies.kyverno.io to the agent's"
                + " ClusterRole");
    assertThat(policiesIn(run, "withheld")).containsExactly("ClusterPolicy/goes");
    assertThat(run.summary().items("errors").toString())
        .contains("ValidatingPolicy", "this kind is not synced: ");
    assertThat(resourceVersion("validatingpolicies", "unseen")).isEqualTo(before);
  }

  @Test
  void goesOnWithoutAKindThatTheClusterDoesNotHave() {
    insights.expects(Feeds.of(clusterPolicy("stays", "Audit"), clusterPolicy("goes", "Audit")));
    agent.run();
    cluster.serve("validatingpolicies.policies.kyverno.io", Set.of());
    Agent.Run without;
    Agent.Run wanted;
    try {
      insights.expects(clusterPolicy("stays", "Audit"));
      without = agent.run();
      insights.expects(Feeds.of(clusterPolicy("stays", "Audit"), validatingPolicy("absent")));
      wanted = agent.run();
    } finally {
      cluster.serve(
          "validatingpolicies.policies.kyverno.io",
          Set.copyOf(PolicyKind.VALIDATING_POLICY.versions()));
    }

    assertThat(without.exitCode()).as(without.all()).isZero();
    assertThat(texts(without, "removed")).containsExactly("goes");
    assertThat(wanted.exitCode()).isEqualTo(1);
    assertThat(wanted.summary().items("errors").toString())
        .contains("the cluster does not serve the kind ValidatingPolicy.policies.kyverno.io");
  }

  @Test
  void looksAtNoPoliciesOfAnotherGroup() {
    var theirs = "/apis/rabbitmq.com/v1/namespaces/" + namespace + "/policies";
    cluster.installCustomResource(RABBITMQ);
    try {
      cluster.admin().post(theirs, Documents.yaml(MIRRORED)).ok();
      insights.expects(Feeds.of(policy(namespace, "mirrored"), policy(namespace, "goes")));
      agent.run();
      insights.expects(clusterPolicy("stays", "Audit"));
      audit = cluster.auditLog();

      var run = agent.run();

      assertThat(texts(run, "removed")).containsExactly("goes", "mirrored");
      assertThat(cluster.admin().get(theirs + "/mirrored").status()).isEqualTo(200);
      assertThat(audit.entries())
          .filteredOn(entry -> entry.userAgent().startsWith("policy-sync/"))
          .noneMatch(entry -> entry.resource().endsWith("rabbitmq.com"));
    } finally {
      cluster.removeCustomResource("policies.rabbitmq.com");
    }
  }

  @Test
  void copesWithALivePolicyThatSaysNothing() {
    create("clusterpolicies", EMPTY);
    insights.expects(clusterPolicy("empty", "Audit"));

    var preview = agent.run("diff");
    var run = agent.run();

    assertThat(preview.exitCode()).as(preview.all()).isZero();
    assertThat(changes(run)).containsExactly("updated ClusterPolicy/empty adopted");
    assertThat(live("clusterpolicies", "empty").mapping("spec").fields())
        .containsEntry("background", new Value.Bool(true));
  }

  @Test
  void tellsWhichRightsItMissesForEvents() {
    var without = rules(PolicyKind.all().stream()).stream().filter(rule -> !rule.equals(EVENTS));
    agent.as(sandbox.tokenOf("agent", without.toArray(Rule[]::new)));
    insights.expects(clusterPolicy("a", "Audit"));

    var run = agent.run();

    assertThat(run.exitCode()).as(run.all()).isZero();
    assertThat(texts(run, "applied")).containsExactly("a");
    assertThat(texts(run, "warnings"))
        .containsExactly(
            "some Events could not be written: create an Event: HTTP 403; add the verb create on"
                + " events.events.k8s.io to the agent's Role in namespace default");
  }

  @Test
  void saysThatItDoesNotKnowWhetherKyvernoRuns() {
    var without = rules(PolicyKind.all().stream()).stream().filter(rule -> !rule.equals(HEALTH));
    agent.as(sandbox.tokenOf("agent", without.toArray(Rule[]::new)));
    insights.expects(clusterPolicy("a", "Audit"));
    cluster.stopKyverno();

    Agent.Run first;
    Agent.Run unchanged;
    try {
      first = agent.run();
      unchanged = agent.run();
    } finally {
      cluster.letKyvernoRun();
    }

    for (var run : List.of(first, unchanged)) {
      assertThat(run.exitCode()).as(run.all()).isZero();
      assertThat(texts(run, "warnings"))
          .singleElement()
          .asString()
          .startsWith("whether Kyverno is running is unknown: list leases.coordination.k8s.io")
          .contains("add the verb list on leases.coordination.k8s.io");
    }
  }

  private static List<Rule> rules(Stream<PolicyKind> kinds) {
    var rules = kinds.map(kind -> new Rule(kind.group(), List.of(kind.plural()), VERBS));
    return Stream.concat(rules, Stream.of(LEASE, EVENTS, REPORTS, OPEN_REPORTS, WEBHOOKS, HEALTH))
        .toList();
  }

  private static final String EMPTY =
      """
      apiVersion: kyverno.io/v1
      kind: ClusterPolicy
      metadata:
        name: empty
        annotations: {insights.fairwinds.com/owned-by: Fairwinds Insights}
      spec: {}
      """;

  private static final String RABBITMQ =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: policies.rabbitmq.com}
      spec:
        group: rabbitmq.com
        scope: Namespaced
        names: {plural: policies, singular: policy, kind: Policy}
        versions:
          - name: v1
            served: true
            storage: true
            schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
      """;

  private static final String MIRRORED =
      """
      apiVersion: rabbitmq.com/v1
      kind: Policy
      metadata:
        name: mirrored
        annotations: {insights.fairwinds.com/owned-by: Fairwinds Insights}
      spec: {pattern: ".*"}
      """;
}
