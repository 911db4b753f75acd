package dev.policysync.statemachine;

import dev.policysync.base.Value;
import dev.policysync.testcluster.Documents;

/// One policy as somebody writes it: the feed, mostly.
///
/// @param form which of its optional parts it has, a bit each, and a revision above them
/// @param flawed whether it has a field that its kind does not know: it can be read, and still the
///   API server will not have it
record ModelPolicy(ObjectKey objectKey, int form, boolean flawed) {
  /// How many forms there are.
  static final int FORMS = 1 << 9;

  private static final int OPTIONAL_FIELD = 0;
  private static final int STRICT = 1;
  private static final int OPTIONAL_ITEM = 2;
  private static final int ANNOTATION = 3;
  private static final int LABEL = 4;
  private static final int OWNED_BY = 5;
  private static final int OLDER_VERSION = 6;
  private static final int REVISION = 7;

  /// A namespace that there is not.
  static final String NOWHERE = "nowhere";

  /// A sound one.
  ModelPolicy(ObjectKey objectKey, int form) {
    this(objectKey, form, false);
  }

  ModelPolicy withForm(int other) {
    return new ModelPolicy(objectKey, other, flawed);
  }

  /// Whether it keeps workloads out.
  boolean blocks() {
    return switch (objectKey.modelKind()) {
      case CLUSTER_POLICY, POLICY, VALIDATING_POLICY, NAMESPACED_VALIDATING_POLICY -> has(STRICT);
      case CONTEXT, EXCEPTION, CEL_EXCEPTION, CLEANUP_POLICY -> false;
    };
  }

  /// Whether the API server can take it.
  boolean acceptable() {
    return !flawed && !objectKey.namespace().equals(NOWHERE);
  }

  /// As `kubectl get -o yaml` would never print it: without the agent's marks.
  String yaml() {
    var metadata = new StringBuilder("metadata:\n  name: " + objectKey.name() + "\n");
    if (objectKey.modelKind().namespaced()) {
      metadata.append("  namespace: " + objectKey.namespace() + "\n");
    }
    metadata.append(
        has(LABEL) ? "  labels:\n    feed.example/tier: tier-" + revision() + "\n" : "");
    metadata.append(has(ANNOTATION) || has(OWNED_BY) ? "  annotations:\n" : "");
    metadata.append(has(ANNOTATION) ? "    feed.example/title: Title " + revision() + "\n" : "");
    metadata.append(
        has(OWNED_BY) ? "    insights.fairwinds.com/owned-by: Fairwinds Insights\n" : "");
    var version =
        has(OLDER_VERSION)
            ? objectKey.modelKind().olderApiVersion()
            : objectKey.modelKind().apiVersion();
    return "apiVersion: %s\nkind: %s\n%sspec:\n%s%s"
        .formatted(
            version,
            objectKey.modelKind().kind(),
            metadata,
            flawed ? "  nonsense: true\n" : "",
            spec().indent(2));
  }

  Value.Mapping manifest() {
    return Documents.yaml(yaml());
  }

  private String spec() {
    return switch (objectKey.modelKind()) {
      case CONTEXT ->
          """
          kubernetesResource:
            %sversion: v1
            resource: %s
            namespace: shop-%s
          """
              .formatted(
                  optional(OPTIONAL_FIELD, "group: ''\n  "),
                  has(STRICT) ? "configmaps" : "services",
                  revision());
      case EXCEPTION ->
          """
          %sexceptions:
            - policyName: %s
              ruleNames: [rule-%s]
          %smatch:
            any:
              - resources:
                  kinds: [%s]
          """
              .formatted(
                  optional(OPTIONAL_FIELD, "background: false\n"),
                  has(STRICT) ? objectKey.name() : objectKey.namespace() + "/" + objectKey.name(),
                  revision(),
                  optional(OPTIONAL_ITEM, "  - policyName: ant\n    ruleNames: [all]\n"),
                  has(STRICT) ? "Deployment" : "Pod");
      case CEL_EXCEPTION ->
          """
          policyRefs:
            - name: %s
              kind: %s
            - name: policy-%s
              kind: MutatingPolicy
          %s%s\
          """
              .formatted(
                  objectKey.name(),
                  has(STRICT) ? "ValidatingPolicy" : "NamespacedValidatingPolicy",
                  revision(),
                  optional(OPTIONAL_ITEM, "  - name: ant\n    kind: ValidatingPolicy\n"),
                  optional(
                      OPTIONAL_FIELD,
                      "matchConditions:\n  - name: agent\n    expression: has(object.metadata)\n"));
      case CLUSTER_POLICY, POLICY ->
          """
          %srules:
            - name: has-team
              match:
                any:
                  - resources:
                      kinds: [Pod]
              validate:
                failureAction: %s
                message: revision %s
                pattern:
                  metadata:
                    labels:
                      team: "?*"
          %s\
          """
              .formatted(
                  optional(OPTIONAL_FIELD, "background: false\n"),
                  has(STRICT) ? "Enforce" : "Audit",
                  revision(),
                  optional(
                      OPTIONAL_ITEM,
                      """
                        - name: has-owner
                          match: {any: [{resources: {kinds: [Deployment]}}]}
                          context: [{name: owners, globalReference: {name: %s}}]
                          validate: {message: set an owner, pattern: {spec: {replicas: ">1"}}}
                      """
                          .formatted(objectKey.name())));
      case CLEANUP_POLICY ->
          """
          schedule: "%s * * * *"
          %smatch:
            any:
              - resources:
                  kinds: [%s]
                  names: ["preview-*"]
          """
              .formatted(
                  revision(),
                  optional(OPTIONAL_FIELD, "deletionPropagationPolicy: Background\n"),
                  has(STRICT) ? "Deployment" : "Pod");
      case VALIDATING_POLICY, NAMESPACED_VALIDATING_POLICY ->
          """
          validationActions: [%s]
          %smatchConstraints:
            resourceRules:
              - apiGroups: [""]
                apiVersions: [v1]
                operations: [CREATE]
                resources: [pods]
          variables:
            - name: revision
              expression: "%s"
          %svalidations:
            - expression: has(object.metadata.labels)
          """
              .formatted(
                  has(STRICT) ? "Deny" : "Audit",
                  optional(OPTIONAL_FIELD, "failurePolicy: Fail\n"),
                  revision(),
                  optional(
                      OPTIONAL_ITEM,
                      "matchConditions:\n  - name: pods\n    expression: has(object.spec)\n"));
    };
  }

  private boolean has(int part) {
    return (form >> part & 1) == 1;
  }

  private int revision() {
    return form >> REVISION;
  }

  private String optional(int part, String text) {
    return has(part) ? text : "";
  }

  @Override
  public String toString() {
    return objectKey + "#" + form + (acceptable() ? "" : "(flawed)");
  }
}
