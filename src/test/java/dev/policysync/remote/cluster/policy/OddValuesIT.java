package dev.policysync.remote.cluster.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.plan.Action;
import dev.policysync.plan.Failure;
import dev.policysync.plan.PlannedPolicy;
import dev.policysync.policy.PolicyKind;
import dev.policysync.sync.execution.PolicyStore.Written;
import dev.policysync.sync.execution.WriteMode;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.KindExamples;
import dev.policysync.testcluster.RealCluster;
import dev.policysync.testcluster.Sandbox;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What the API server records of empty, null and unusually written values: a policy that it took
/// must not look as if somebody had changed it since, or each run would apply it again.
@RealCluster
class OddValuesIT {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "VALIDATING_POLICY|spec: {variables: [], validations: [{expression: 'true'}]}",
        "VALIDATING_POLICY|spec: {validationActions: []}",
        "VALIDATING_POLICY|spec: {autogen: {podControllers: {controllers: []}}}",
        "VALIDATING_POLICY|spec: {autogen: {}}",
        "VALIDATING_POLICY|spec: {evaluation: {}}",
        "VALIDATING_POLICY|spec: {matchConstraints: {resourceRules: [], namespaceSelector: {}}}",
        "VALIDATING_POLICY|spec: {matchConstraints: {objectSelector: {matchLabels: {}}}}",
        "CLUSTER_POLICY|spec: {webhookTimeoutSeconds: 5.0}",
        "CLUSTER_POLICY|spec: {background: null}",
        "CLUSTER_POLICY|spec: {webhookConfiguration: {matchConditions: []}}",
        "CLUSTER_POLICY|spec: {webhookConfiguration: {}}",
        "CLUSTER_POLICY|spec: {validationFailureActionOverrides: []}",
        "CLUSTER_POLICY|metadata: {labels: null}",
        "CLUSTER_POLICY|metadata: {annotations: {x: null}}",
        "CLUSTER_POLICY|metadata: {annotations: {x: ''}}",
        "CLUSTER_POLICY|metadata: {finalizers: []}",
        "CLUSTER_POLICY|metadata: {finalizers: null}",
        "CLUSTER_POLICY|metadata: {ownerReferences: []}",
        "CLUSTER_CLEANUP_POLICY|spec: {exclude: {}, context: [], conditions: {}}",
        "GLOBAL_CONTEXT_ENTRY|spec: {projections: []}",
        "DELETING_POLICY|spec: {variables: []}",
        "MUTATING_POLICY|spec: {targetMatchConstraints: {}}",
        "VALIDATING_ADMISSION_POLICY|spec: {matchConditions: null, paramKind: null}",
        "VALIDATING_ADMISSION_POLICY|spec: {failurePolicy: null}",
        "VALIDATING_ADMISSION_POLICY|spec: {auditAnnotations: []}",
        "VALIDATING_ADMISSION_POLICY|spec: {variables: [], validations: [{expression: 'true'}]}",
        "VALIDATING_ADMISSION_POLICY_BINDING|spec: {matchResources: null, paramRef: null}",
        "VALIDATING_ADMISSION_POLICY_BINDING|spec: {matchResources: {}}",
        "MUTATING_ADMISSION_POLICY|spec: {variables: null}",
      })
  void areInSyncOnceTheyAreApplied(PolicyKind kind, String odd, Sandbox sandbox) {
    var policies = policies(sandbox);
    var desiredPolicy = PlannedPolicy.desired(Documents.policy(example(kind, odd)));

    var written = policies.apply(new Action.Create(desiredPolicy), WriteMode.LIVE);

    assertThat(written).isInstanceOf(Written.Done.class);
    assertThat(PlannedPolicy.inSync(desiredPolicy, policies.find(desiredPolicy.id()))).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "VALIDATING_POLICY|spec: {failurePolicy: null}",
        "VALIDATING_POLICY|spec: {variables: [{name: a, expression: '1'}, {name: a, expression: '2'}]}",
        "VALIDATING_POLICY|spec: {validationActions: [Audit, Audit]}",
        "CLUSTER_POLICY|spec: {background: 'true'}",
        "CLUSTER_POLICY|spec: {failurePolicy: Sometimes}",
        "CLUSTER_POLICY|metadata: {labels: {'not a label': x}}",
      })
  void areRefusedForGoodWhereTheSchemaForbidsThem(PolicyKind kind, String odd, Sandbox sandbox) {
    var policies = policies(sandbox);
    var desiredPolicy = PlannedPolicy.desired(Documents.policy(example(kind, odd)));

    var written = policies.apply(new Action.Create(desiredPolicy), WriteMode.LIVE);

    assertThat(written)
        .isInstanceOfSatisfying(
            Written.Refused.class,
            refused -> assertThat(refused.failure().cause()).isEqualTo(Failure.Cause.INVALID));
    assertThat(policies.find(desiredPolicy.id())).isEmpty();
  }

  private static ClusterPolicies policies(Sandbox sandbox) {
    var policies = new ClusterPolicies(sandbox.cluster().connect(sandbox.cluster().adminToken()));
    policies.list();
    return policies;
  }

  private static Value.Mapping example(PolicyKind kind, String odd) {
    return with(KindExamples.of(kind, "none").content(), Documents.yaml(odd));
  }

  /// The first two levels are merged, what is below is replaced.
  private static Value.Mapping with(Value.Mapping manifest, Value.Mapping odd) {
    for (var part : odd.fields().entrySet()) {
      var whole = manifest.mapping(part.getKey());
      for (var field : ((Value.Mapping) part.getValue()).fields().entrySet()) {
        whole = whole.with(field.getKey(), field.getValue());
      }
      manifest = manifest.with(part.getKey(), whole);
    }
    return manifest;
  }
}
