package dev.policysync.endtoend;

import static dev.policysync.harness.Feeds.clusterPolicy;
import static dev.policysync.harness.Feeds.validatingPolicy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.harness.Feeds;
import dev.policysync.testcluster.AuditLog;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Promise 6 by the API server's own record: nothing blocks a workload that an exception shields,
/// and nothing is ever without its successor.
class OrderIT extends EndToEnd {
  private String exception;

  @BeforeEach
  void describeTheException() {
    exception =
        """
        apiVersion: kyverno.io/v2
        kind: PolicyException
        metadata: {name: a-node-agent, namespace: %s}
        spec:
          exceptions: [{policyName: b-blocks, ruleNames: [has-team]}]
          match: {any: [{resources: {kinds: [Pod], names: [node-agent]}}]}
        """
            .formatted(namespace);
  }

  @Test
  void appliesAnExceptionInAnEarlierRunThanThePolicyThatItShieldsFrom() {
    insights.expects(Feeds.of(clusterPolicy("b-blocks", "Enforce"), exception));

    var first = agent.run();
    var afterTheFirst = writes(audit);
    var early = agent.run();
    var preview = agent.run("diff", "-o", "json");
    var afterTheSecond = writes(audit);
    minutesPass();
    var log = cluster.auditLog();
    var later = agent.run();

    for (var run : List.of(first, early, preview)) {
      assertThat(run.exitCode()).as(run.all()).isZero();
      assertThat(policiesIn(run, "waiting"))
          .as(run.all())
          .containsExactly("ClusterPolicy/b-blocks");
    }
    assertThat(afterTheFirst).containsExactly("patch policyexceptions.kyverno.io a-node-agent");
    assertThat(afterTheSecond).isEqualTo(afterTheFirst);
    assertThat(later.exitCode()).as(later.all()).isZero();
    assertThat(writes(log)).containsExactly("patch clusterpolicies.kyverno.io b-blocks");
  }

  @Test
  void removesAPolicyInAnEarlierRunThanTheExceptionThatShieldedFromIt() {
    insights.expects(
        Feeds.of(clusterPolicy("b-blocks", "Enforce"), clusterPolicy("stays", "Audit"), exception));
    settle();
    insights.expects(clusterPolicy("stays", "Audit"));
    var log = cluster.auditLog();

    var first = agent.run();
    var early = agent.run();
    var afterTheSecond = writes(log);
    minutesPass();
    var later = agent.run();

    for (var run : List.of(first, early)) {
      assertThat(run.exitCode()).as(run.all()).isZero();
      assertThat(policiesIn(run, "waiting"))
          .as(run.all())
          .containsExactly("PolicyException.kyverno.io/" + namespace + "/a-node-agent");
    }
    assertThat(afterTheSecond).containsExactly("delete clusterpolicies.kyverno.io b-blocks");
    assertThat(changes(later))
        .containsExactly(
            "removed PolicyException.kyverno.io/" + namespace + "/a-node-agent gone from feed");
    assertThat(recorded().field("waiting")).isEmpty();
  }

  @Test
  void removesAPolicyInALaterRunThanItsSuccessorOfAnotherKindIsApplied() {
    insights.expects(clusterPolicy("moves", "Audit"));
    agent.run();
    insights.expects(validatingPolicy("moves"));
    var log = cluster.auditLog();

    var first = agent.run();
    var afterTheFirst = writes(log);
    minutesPass();
    var later = agent.run();

    assertThat(policiesIn(first, "waiting")).as(first.all()).containsExactly("ClusterPolicy/moves");
    assertThat(afterTheFirst).containsExactly("patch validatingpolicies.policies.kyverno.io moves");
    assertThat(changes(later)).containsExactly("removed ClusterPolicy/moves gone from feed");
  }

  @Test
  void keepsAnExceptionWhileThePolicyThatItShieldsFromStays() {
    insights.expects(
        Feeds.of(clusterPolicy("b-blocks", "Enforce"), clusterPolicy("stays", "Audit"), exception));
    settle();
    create("validatingpolicies", validatingPolicy("b-blocks").replace("v1alpha1", "v1"));
    insights.expects(Feeds.of(validatingPolicy("b-blocks"), clusterPolicy("stays", "Audit")));
    var log = cluster.auditLog();

    var stuck = agent.run();
    cluster.admin().delete("/apis/policies.kyverno.io/v1/validatingpolicies/b-blocks").ok();
    var free = settle();

    assertThat(stuck.exitCode()).as(stuck.all()).isEqualTo(3);
    assertThat(policiesIn(stuck, "conflicts")).containsExactly("ValidatingPolicy/b-blocks");
    assertThat(policiesIn(stuck, "withheld"))
        .containsExactlyInAnyOrder(
            "ClusterPolicy/b-blocks", "PolicyException.kyverno.io/" + namespace + "/a-node-agent");
    assertThat(free.exitCode()).as(free.all()).isZero();
    assertThat(writes(log))
        .filteredOn(write -> !write.startsWith("delete validatingpolicies"))
        .containsExactly(
            "patch validatingpolicies.policies.kyverno.io b-blocks",
            "delete clusterpolicies.kyverno.io b-blocks",
            "delete policyexceptions.kyverno.io a-node-agent");
  }

  @Test
  void keepsAnExceptionAndAContextEntryOfAPolicyThatIsNeverToBeRemoved() {
    var context =
        """
        apiVersion: kyverno.io/v2beta1
        kind: GlobalContextEntry
        metadata: {name: deployments}
        spec: {kubernetesResource: {group: apps, version: v1, resource: deployments}}
        """;
    var reading =
        clusterPolicy("b-blocks", "Enforce")
            .replace(
                "      validate:",
                "      context: [{name: d, globalReference: {name: deployments}}]\n      validate:")
            .replace("annotations:", "annotations:\n    policysync.dev/prune: disabled");
    insights.expects(Feeds.of(reading, clusterPolicy("stays", "Audit"), exception, context));
    assertThat(settle().exitCode()).isZero();
    insights.expects(clusterPolicy("stays", "Audit"));
    var log = cluster.auditLog();

    var run = agent.with("MAX_REMOVALS", "3").run();

    assertThat(run.exitCode()).as(run.all()).isZero();
    assertThat(texts(run, "warnings"))
        .contains(
            "PolicyException.kyverno.io/"
                + namespace
                + "/a-node-agent, GlobalContextEntry/deployments are kept: still needed by"
                + " ClusterPolicy/b-blocks, which stays in force");
    assertThat(log.writes()).filteredOn(entry -> entry.verb().equals("delete")).isEmpty();
  }

  @Test
  void blocksNothingWhileTheExceptionForItIsRefused() {
    var nowhere = exception.replace(namespace, "nowhere-" + namespace);
    insights.expects(Feeds.of(clusterPolicy("b-blocks", "Audit"), clusterPolicy("stays", "Audit")));
    agent.run();
    insights.expects(
        Feeds.of(clusterPolicy("b-blocks", "Enforce"), clusterPolicy("stays", "Enforce"), nowhere));
    var log = cluster.auditLog();

    var refused = agent.run();
    createNamespace("nowhere-" + namespace);
    var taken = settle();

    assertThat(refused.exitCode()).as(refused.all()).isEqualTo(1);
    assertThat(texts(refused, "failed")).containsExactly("a-node-agent");
    assertThat(texts(refused, "updated")).containsExactly("stays");
    assertThat(policiesIn(refused, "waiting")).containsExactly("ClusterPolicy/b-blocks");
    assertThat(taken.exitCode()).as(taken.all()).isZero();
    assertThat(writes(log))
        .containsExactly(
            "patch policyexceptions.kyverno.io a-node-agent",
            "patch clusterpolicies.kyverno.io stays",
            "patch policyexceptions.kyverno.io a-node-agent",
            "patch clusterpolicies.kyverno.io b-blocks");
  }

  /// The agent's: it never updates an object, which is how minutes pass here.
  private static List<String> writes(AuditLog log) {
    return log.writes().stream()
        .filter(entry -> entry.resource().contains("polic") && !entry.verb().equals("update"))
        .map(entry -> entry.verb() + " " + entry.resource() + " " + entry.name())
        .toList();
  }
}
