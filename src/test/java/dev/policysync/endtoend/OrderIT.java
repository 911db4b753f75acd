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
  void appliesAnExceptionBeforeThePolicyThatItShieldsFrom() {
    insights.expects(Feeds.of(clusterPolicy("b-blocks", "Enforce"), exception));

    agent.run();

    assertThat(writes(audit))
        .containsExactly(
            "patch policyexceptions.kyverno.io a-node-agent",
            "patch clusterpolicies.kyverno.io b-blocks");
  }

  @Test
  void removesAPolicyBeforeTheExceptionThatShieldedFromIt() {
    insights.expects(
        Feeds.of(clusterPolicy("b-blocks", "Enforce"), clusterPolicy("stays", "Audit"), exception));
    agent.run();
    insights.expects(clusterPolicy("stays", "Audit"));
    var log = cluster.auditLog();

    agent.run();

    assertThat(writes(log))
        .containsExactly(
            "delete clusterpolicies.kyverno.io b-blocks",
            "delete policyexceptions.kyverno.io a-node-agent");
  }

  @Test
  void removesAPolicyAfterItsSuccessorOfAnotherKindIsInForce() {
    insights.expects(clusterPolicy("moves", "Audit"));
    agent.run();
    insights.expects(validatingPolicy("moves"));
    var log = cluster.auditLog();

    agent.run();

    assertThat(writes(log))
        .containsExactly(
            "patch validatingpolicies.policies.kyverno.io moves",
            "delete clusterpolicies.kyverno.io moves");
  }

  private static List<String> writes(AuditLog log) {
    return log.writes().stream()
        .filter(entry -> entry.resource().contains("polic"))
        .map(entry -> entry.verb() + " " + entry.resource() + " " + entry.name())
        .toList();
  }
}
