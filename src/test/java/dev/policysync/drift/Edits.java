package dev.policysync.drift;

import dev.policysync.policy.PolicyKind;

/// What others may change in the spec of a kind's example in `src/test/resources/kinds`; merge
/// patches in YAML.
///
/// @param changed another value for a field that the example sets
/// @param removed a field that the example sets and the schema does not require
/// @param added a field that the example does not set, some of them with a default
record Edits(String changed, String removed, String added) {
  static Edits of(PolicyKind kind) {
    return switch (kind) {
      case CLUSTER_POLICY ->
          new Edits(
              "{validationFailureAction: Enforce}", "{rules: null}", "{failurePolicy: Ignore}");
      case NAMESPACED_POLICY ->
          new Edits("{background: true}", "{background: null}", "{admission: false}");
      case CLUSTER_CLEANUP_POLICY ->
          new Edits(
              "{schedule: 1 1 * * *}", "{conditions: null}", "{deletionPropagationPolicy: Orphan}");
      case CLEANUP_POLICY ->
          new Edits(
              "{deletionPropagationPolicy: Orphan}",
              "{deletionPropagationPolicy: null}",
              "{context: [{name: added, variable: {value: 1}}]}");
      case KYVERNO_EXCEPTION ->
          new Edits(
              "{background: false}",
              "{background: null}",
              "{conditions: {all: [{key: a, operator: Equals, value: b}]}}");
      case GLOBAL_CONTEXT_ENTRY ->
          new Edits(
              "{kubernetesResource: {resource: secrets}}",
              "{kubernetesResource: {namespace: null}}",
              "{projections: [{name: added, jmesPath: items}]}");
      case VALIDATING_POLICY, NAMESPACED_VALIDATING_POLICY ->
          new Edits("{validationActions: [Deny]}", "{variables: null}", "{failurePolicy: Ignore}");
      case IMAGE_VALIDATING_POLICY, NAMESPACED_IMAGE_VALIDATING_POLICY ->
          new Edits(
              "{validationActions: [Audit]}",
              "{matchImageReferences: null}",
              "{validationConfigurations: {required: false}}");
      case MUTATING_POLICY, NAMESPACED_MUTATING_POLICY ->
          new Edits(
              "{failurePolicy: Fail}", "{matchConditions: null}", "{reinvocationPolicy: Never}");
      case GENERATING_POLICY, NAMESPACED_GENERATING_POLICY ->
          new Edits(
              "{evaluation: {synchronize: {enabled: false}}}",
              "{variables: null}",
              "{evaluation: {generateExisting: {enabled: true}}}");
      case DELETING_POLICY, NAMESPACED_DELETING_POLICY ->
          new Edits(
              "{schedule: 1 1 * * *}", "{conditions: null}", "{deletionPropagationPolicy: Orphan}");
      case CEL_EXCEPTION ->
          new Edits(
              "{policyRefs: [{name: another, kind: ValidatingPolicy}]}",
              "{matchConditions: null}",
              "{reportResult: pass}");
      case VALIDATING_ADMISSION_POLICY ->
          new Edits(
              "{failurePolicy: Fail}",
              "{failurePolicy: null}",
              "{auditAnnotations: [{key: added, valueExpression: \"'x'\"}]}");
      case VALIDATING_ADMISSION_POLICY_BINDING ->
          new Edits(
              "{policyName: another}",
              "{matchResources: null}",
              "{matchResources: {matchPolicy: Exact}}");
      case MUTATING_ADMISSION_POLICY ->
          new Edits(
              "{failurePolicy: Fail}",
              "{matchConditions: null}",
              "{matchConstraints: {matchPolicy: Exact}}");
      case MUTATING_ADMISSION_POLICY_BINDING ->
          new Edits(
              "{matchResources: {namespaceSelector: {matchLabels: {tier: another}}}}",
              "{matchResources: null}",
              "{matchResources: {matchPolicy: Exact}}");
    };
  }
}
