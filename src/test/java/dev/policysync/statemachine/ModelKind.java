package dev.policysync.statemachine;

import java.util.List;

/// The kinds that the machine plays with, in its own words and not the agent's: enough of them for
/// every role, both scopes, and one name in two groups.
enum ModelKind {
  CONTEXT(
      Role.CONTEXT, "GlobalContextEntry", "globalcontextentries", "kyverno.io", "v2", "v2beta1"),
  EXCEPTION(Role.EXCEPTION, "PolicyException", "policyexceptions", "kyverno.io", "v2", "v2beta1"),
  CEL_EXCEPTION(
      Role.EXCEPTION,
      "PolicyException",
      "policyexceptions",
      "policies.kyverno.io",
      "v1",
      "v1beta1"),
  CLUSTER_POLICY(Role.POLICY, "ClusterPolicy", "clusterpolicies", "kyverno.io", "v1", "v2beta1"),
  POLICY(Role.POLICY, "Policy", "policies", "kyverno.io", "v1", "v2beta1"),
  CLEANUP_POLICY(Role.POLICY, "CleanupPolicy", "cleanuppolicies", "kyverno.io", "v2", "v2beta1"),
  VALIDATING_POLICY(
      Role.POLICY,
      "ValidatingPolicy",
      "validatingpolicies",
      "policies.kyverno.io",
      "v1",
      "v1beta1"),
  NAMESPACED_VALIDATING_POLICY(
      Role.POLICY,
      "NamespacedValidatingPolicy",
      "namespacedvalidatingpolicies",
      "policies.kyverno.io",
      "v1",
      "v1beta1");

  /// What a kind is for; the order in which the promises want them applied.
  enum Role {
    CONTEXT,
    EXCEPTION,
    POLICY
  }

  private final Role role;
  private final String kind;
  private final String plural;
  private final String group;
  private final String version;
  private final String older;

  ModelKind(Role role, String kind, String plural, String group, String version, String older) {
    this.role = role;
    this.kind = kind;
    this.plural = plural;
    this.group = group;
    this.version = version;
    this.older = older;
  }

  Role role() {
    return role;
  }

  String kind() {
    return kind;
  }

  /// `ClusterPolicy.kyverno.io`.
  String qualified() {
    return kind + "." + group;
  }

  boolean namespaced() {
    return switch (this) {
      case CONTEXT, CLUSTER_POLICY, VALIDATING_POLICY -> false;
      case EXCEPTION, CEL_EXCEPTION, POLICY, CLEANUP_POLICY, NAMESPACED_VALIDATING_POLICY -> true;
    };
  }

  /// `kyverno.io/v1`.
  String apiVersion() {
    return group + "/" + version;
  }

  /// Another version that the cluster serves and a feed may be written in.
  String olderApiVersion() {
    return group + "/" + older;
  }

  /// Where all its objects are listed: `/apis/kyverno.io/v1/clusterpolicies`.
  String everywhere() {
    return "/apis/" + apiVersion() + "/" + plural;
  }

  /// Where objects are created.
  String collection(String namespace) {
    return namespace.isEmpty()
        ? everywhere()
        : "/apis/" + apiVersion() + "/namespaces/" + namespace + "/" + plural;
  }

  /// Whether a request goes to objects of this kind.
  boolean owns(String urlPath) {
    return urlPath.matches(
        "/apis/" + group + "/[a-z0-9]+/(namespaces/[^/]+/)?" + plural + "(/.*)?");
  }

  /// What somebody may do to the spec, as merge patches: change, add and remove fields.
  List<String> edits() {
    return switch (this) {
      case CONTEXT ->
          List.of(
              "kubernetesResource: {namespace: elsewhere}",
              "kubernetesResource: {resource: secrets}");
      case EXCEPTION ->
          List.of(
              "background: true",
              "background: null",
              "exceptions: [{policyName: others, ruleNames: ['*']}]",
              "conditions: {any: [{key: a, operator: Equals, value: b}]}");
      case CEL_EXCEPTION ->
          List.of(
              "policyRefs: [{name: everything, kind: ValidatingPolicy}]",
              "matchConditions: [{name: always, expression: 'true'}]",
              "matchConditions: null",
              "images: ['*']");
      case CLUSTER_POLICY, POLICY ->
          List.of(
              "background: true",
              "background: null",
              "admission: false",
              "validationFailureAction: Enforce",
              "rules: [{name: mine, match: {any: [{resources: {kinds: [Pod]}}]},"
                  + " validate: {message: mine, deny: {}}}]",
              "webhookConfiguration: {matchConditions: [{name: never, expression: 'false'}]}");
      case CLEANUP_POLICY ->
          List.of(
              "schedule: '* * * * *'",
              "deletionPropagationPolicy: Foreground",
              "deletionPropagationPolicy: null",
              "match: {any: [{resources: {kinds: [Secret]}}]}");
      case VALIDATING_POLICY, NAMESPACED_VALIDATING_POLICY ->
          List.of(
              "validationActions: [Warn]",
              "failurePolicy: Ignore",
              "failurePolicy: null",
              "matchConditions: [{name: never, expression: 'false'}]",
              "matchConditions: null",
              "variables: [{name: mine, expression: 'true'}]",
              "validations: [{expression: 'true'}]",
              "evaluation: {admission: {enabled: false}}");
    };
  }
}
