package dev.policysync.realkyverno;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.harness.Feeds;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import org.junit.jupiter.api.Test;

/// The feed moves a policy that blocks to another kind, without `CONVERT`. At no moment is a pod
/// admitted that both refuse.
class KindMoveIT extends WithKyverno {
  @Test
  void leavesNoGapThereAndBack() {
    var name = "kind-" + namespace;
    var legacy = PolicyId.of(PolicyKind.CLUSTER_POLICY, name);
    var cel = PolicyId.of(PolicyKind.VALIDATING_POLICY, name);
    insights.expects(legacy(name, "there"));
    agent.run();
    awaitReady(legacy);
    await("a pod to be refused", () -> tries("another").status() == 400);

    try (var prober = Prober.of(cluster.admin(), namespace, pod("another", ""), false)) {
      insights.expects(cel(name));
      syncs(agent);
      assertThat(exists(legacy)).isFalse();
      prober.succeedsAgain();
      insights.expects(legacy(name, "and back"));
      syncs(agent);
      assertThat(exists(cel)).isFalse();
      prober.succeedsAgain();

      assertThat(prober.wrong()).isEmpty();
    }
  }

  private boolean exists(PolicyId id) {
    return exists(id.kind().plural(), id.name());
  }

  /// @param message makes it another feed: one that the API has served before is not applied
  private String legacy(String name, String message) {
    return Feeds.of(
        """
        apiVersion: kyverno.io/v1
        kind: ClusterPolicy
        metadata: {name: %s}
        spec:
          rules:
            - name: has-team
              match: {any: [{resources: {kinds: [Pod], namespaces: [%s]}}]}
              validate:
                failureAction: Enforce
                message: set the label team, %s
                pattern: {metadata: {labels: {team: "?*"}}}
        """
            .formatted(name, namespace, message));
  }

  private String cel(String name) {
    return Feeds.of(
        """
        apiVersion: policies.kyverno.io/v1
        kind: ValidatingPolicy
        metadata: {name: %s}
        spec:
          validationActions: [Deny]
          matchConstraints:
            namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: %s}}
            resourceRules:
              - {apiGroups: [""], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [pods]}
          validations:
            - expression: "has(object.metadata.labels) && 'team' in object.metadata.labels"
              message: set the label team
        """
            .formatted(name, namespace));
  }
}
