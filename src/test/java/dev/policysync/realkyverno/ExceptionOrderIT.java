package dev.policysync.realkyverno;

import static dev.policysync.harness.Feeds.clusterPolicy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.harness.Feeds;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.testcluster.Rounds;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A workload that an exception shields is at no moment refused: not while the exception and the
/// policy that blocks come in one feed, and not while both go. Runs follow each other as soon as
/// there is something to do.
class ExceptionOrderIT extends WithKyverno {
  private static final String KEPT = clusterPolicy("kept", "Audit").replace("[Pod]", "[Secret]");

  /// The two families of kinds, which Kyverno keeps apart.
  enum Family {
    LEGACY(PolicyKind.CLUSTER_POLICY) {
      @Override
      String policy(boolean blocks) {
        return clusterPolicy("b-blocks", blocks ? "Enforce" : "Audit");
      }

      @Override
      String exception(String namespace) {
        return """
        apiVersion: kyverno.io/v2
        kind: PolicyException
        metadata: {name: a-node-agent, namespace: %s}
        spec:
          exceptions: [{policyName: b-blocks, ruleNames: [has-team]}]
          match: {any: [{resources: {kinds: [Pod], names: [node-agent]}}]}
        """
            .formatted(namespace);
      }
    },
    CEL(PolicyKind.VALIDATING_POLICY) {
      @Override
      String policy(boolean blocks) {
        return """
        apiVersion: policies.kyverno.io/v1
        kind: ValidatingPolicy
        metadata: {name: b-blocks}
        spec:
          validationActions: [%s]
          matchConstraints:
            resourceRules:
              - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}
          validations:
            - {expression: "has(object.metadata.labels) && 'team' in object.metadata.labels", message: set the label team}
        """
            .formatted(blocks ? "Deny" : "Audit");
      }

      @Override
      String exception(String namespace) {
        return """
        apiVersion: policies.kyverno.io/v1
        kind: PolicyException
        metadata: {name: a-node-agent, namespace: %s}
        spec:
          policyRefs: [{name: b-blocks, kind: ValidatingPolicy}]
          matchConditions: [{name: node-agent, expression: "object.metadata.name == 'node-agent'"}]
        """
            .formatted(namespace);
      }
    };

    final PolicyKind kind;

    Family(PolicyKind kind) {
      this.kind = kind;
    }

    abstract String policy(boolean blocks);

    abstract String exception(String namespace);
  }

  private int feeds;

  @BeforeEach
  void keepOne() {
    insights.expects(KEPT);
    agent.run();
  }

  @ParameterizedTest
  @EnumSource
  void shieldsWhileBothComeAndGo(Family family) {
    try (var prober = Prober.of(cluster.admin(), namespace, "node-agent")) {
      sync(KEPT, family.policy(true), family.exception(namespace));
      await("another to be refused", () -> tries("another").status() == 400);
      prober.succeedsAgain();

      sync(KEPT);
      await("another to be let in", () -> tries("another").status() == 201);
      prober.succeedsAgain();

      assertThat(prober.wrong()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void shieldsWhileAPolicyThatIsThereBeginsAndEndsToBlock(Family family) {
    sync(KEPT, family.policy(false));
    awaitReady(PolicyId.of(family.kind, "b-blocks"));
    try (var prober = Prober.of(cluster.admin(), namespace, "node-agent")) {
      for (int i = 0; i < Rounds.of(2, 3); i++) {
        sync(KEPT, family.policy(true), family.exception(namespace));
        await("another to be refused", () -> tries("another").status() == 400);
        prober.succeedsAgain();

        sync(KEPT, family.policy(false));
        await("another to be let in", () -> tries("another").status() == 201);
        prober.succeedsAgain();
      }

      assertThat(prober.wrong()).isEmpty();
    }
  }

  private void sync(String... policies) {
    // Never the same as one before: that would be an old feed, which is not written at once.
    insights.expects(Feeds.of(policies) + "# feed " + ++feeds + "\n");
    var run = syncs(agent.with("ENFORCE_GUARD", "off").with("MAX_REMOVALS", "100"));
    assertThat(run.exitCode()).as(run.all()).isZero();
  }
}
