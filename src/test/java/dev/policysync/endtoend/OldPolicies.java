package dev.policysync.endtoend;

import java.util.List;

/// Policies of several kinds as a feed had them for years. The lines that say so are not in it any
/// more one day: a label, an annotation, and of each spec a field or a named list item.
final class OldPolicies {
  private OldPolicies() {}

  /// One of each kind.
  static List<String> of(String namespace) {
    return List.of(
        clusterPolicy("team"),
        in(namespace, clusterPolicy("team").replace("kind: ClusterPolicy", "kind: Policy")),
        validatingPolicy(),
        in(namespace, policyException()),
        in(namespace, cleanupPolicy()));
  }

  static String clusterPolicy(String name) {
    return """
    apiVersion: kyverno.io/v1
    kind: ClusterPolicy
    %s
    spec:
      validationFailureAction: Enforce # dropped later
      failurePolicy: Ignore
      rules:
        - name: team
          match: {any: [{resources: {kinds: [Deployment]}}]}
          validate: {message: A Deployment names its team., pattern: {metadata: {labels: {team: "?*"}}}}
    """
        .formatted(metadata(name));
  }

  private static String validatingPolicy() {
    return """
    apiVersion: policies.kyverno.io/v1
    kind: ValidatingPolicy
    %s
    spec:
      failurePolicy: Ignore # dropped later
      validationActions: [Audit, Warn]
      matchConstraints:
        resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
      matchConditions:
        - {name: not-system, expression: object.metadata.namespace != 'kube-system'}
        - {name: not-now, expression: "false"} # dropped later
      variables:
        - {name: unused, expression: "1"} # dropped later
        - {name: hostNetwork, expression: has(object.spec.hostNetwork)}
      validations: [{expression: "!variables.hostNetwork", message: The host's network is not for pods.}]
    """
        .formatted(metadata("no-host-network"));
  }

  private static String policyException() {
    return """
    apiVersion: kyverno.io/v2
    kind: PolicyException
    %s
    spec:
      background: true # dropped later
      exceptions: [{policyName: team, ruleNames: [team]}]
      match: {any: [{resources: {kinds: [Deployment], names: [legacy]}}]}
    """
        .formatted(metadata("legacy"));
  }

  private static String cleanupPolicy() {
    return """
    apiVersion: kyverno.io/v2
    kind: CleanupPolicy
    %s
    spec:
      schedule: "*/30 * * * *"
      deletionPropagationPolicy: Background # dropped later
      match: {any: [{resources: {kinds: [Deployment], names: ["preview-*"]}}]}
    """
        .formatted(metadata("old-previews"));
  }

  private static String metadata(String name) {
    return """
    metadata:
      name: %s
      labels: # dropped later
        team: platform # dropped later
      annotations:
        insights.fairwinds.com/owned-by: Fairwinds Insights
        policies.kyverno.io/severity: medium
        policies.kyverno.io/title: Not for long # dropped later\
    """
        .formatted(name);
  }

  private static String in(String namespace, String policy) {
    return policy.replaceFirst("metadata:\n", "metadata:\n  namespace: " + namespace + "\n");
  }

  /// The same at the version that does not know a default of the stored one.
  static String atV2beta1(String clusterPolicy) {
    return clusterPolicy.replace("kyverno.io/v1", "kyverno.io/v2beta1");
  }

  /// The same without the mark by which the API knows its own.
  static String unmarked(String policy) {
    return policy.replaceAll("(?m)^ *insights.*\\n", "");
  }

  /// The same as the feed has it one day.
  static String shortened(String policy) {
    return policy.replaceAll("(?m)^.* # dropped later\\n", "");
  }
}
