package dev.policysync.sync.execution;

import dev.policysync.policy.PolicyId;
import java.util.List;
import java.util.function.BiConsumer;

/// Something that another writer does to a policy of ours, and that one apply has to undo.
public enum ForeignEdit {
  CHANGES_A_FIELD(
      ForeignEdit.CLUSTER_POLICY,
      ForeignEdit.EDITOR,
      (others, id) -> others.edit(id, "spec: {validationFailureAction: Audit}")),
  REMOVES_A_FIELD(
      ForeignEdit.CLUSTER_POLICY,
      ForeignEdit.NOBODY,
      (others, id) -> others.edit(id, "spec: {failurePolicy: null}")),
  ADDS_A_FIELD(
      ForeignEdit.CLUSTER_POLICY,
      ForeignEdit.EDITOR,
      (others, id) -> others.edit(id, "spec: {schemaValidation: true}")),
  ADDS_A_FIELD_THAT_HAS_A_DEFAULT(
      ForeignEdit.CLUSTER_POLICY,
      ForeignEdit.EDITOR,
      (others, id) -> others.edit(id, "spec: {background: false}")),
  CHANGES_A_RULE(
      ForeignEdit.CLUSTER_POLICY,
      ForeignEdit.EDITOR,
      (others, id) ->
          others.edit(
              id,
              """
              spec:
                rules:
                  - name: team
                    match: {any: [{resources: {kinds: [Deployment], names: [nothing]}}]}
                    validate: {message: A Deployment names its team., pattern: {metadata: {labels: {team: "?*"}}}}
              """)),
  CHANGES_A_LIST_ITEM(
      ForeignEdit.VALIDATING_POLICY,
      ForeignEdit.EDITOR,
      (others, id) ->
          others.edit(id, "spec: {variables: [{name: hostNetwork, expression: 'false'}]}")),
  REMOVES_A_LIST_ITEM(
      ForeignEdit.VALIDATING_POLICY,
      ForeignEdit.NOBODY,
      (others, id) -> others.edit(id, "spec: {matchConditions: []}")),
  ADDS_A_MATCH_CONDITION(
      ForeignEdit.VALIDATING_POLICY,
      ForeignEdit.EDITOR,
      (others, id) ->
          others.edit(
              id,
              """
              spec:
                matchConditions:
                  - {name: not-system, expression: object.metadata.namespace != 'kube-system'}
                  - {name: never, expression: 'false'}
              """)),
  ADDS_A_VARIABLE_BY_APPLY(
      ForeignEdit.VALIDATING_POLICY,
      ForeignEdit.APPLIER,
      (others, id) ->
          others.apply(
              """
              apiVersion: policies.kyverno.io/v1
              kind: ValidatingPolicy
              metadata: {name: no-host-network}
              spec: {variables: [{name: another, expression: '1'}]}
              """)),
  ADDS_A_SET_ITEM(
      ForeignEdit.VALIDATING_POLICY,
      ForeignEdit.EDITOR,
      (others, id) -> others.edit(id, "spec: {validationActions: [Audit, Warn]}")),
  TAKES_A_FIELD_AS_IT_IS(
      ForeignEdit.VALIDATING_POLICY,
      ForeignEdit.APPLIER,
      (others, id) ->
          others.apply(
              """
              apiVersion: policies.kyverno.io/v1
              kind: ValidatingPolicy
              metadata: {name: no-host-network}
              spec: {failurePolicy: Fail}
              """)),
  REMOVES_OUR_LABEL(
      ForeignEdit.CLUSTER_POLICY,
      ForeignEdit.NOBODY,
      (others, id) -> others.edit(id, "metadata: {labels: {policysync.dev/managed: null}}")),
  REMOVES_AN_ANNOTATION(
      ForeignEdit.CLUSTER_POLICY,
      ForeignEdit.NOBODY,
      (others, id) ->
          others.edit(id, "metadata: {annotations: {policies.kyverno.io/title: null}}")),
  CHANGES_AN_ANNOTATION(
      ForeignEdit.CLUSTER_POLICY,
      ForeignEdit.EDITOR,
      (others, id) ->
          others.edit(id, "metadata: {annotations: {policies.kyverno.io/title: Nothing}}")),
  REMOVES_OUR_SIGNATURE(
      ForeignEdit.CLUSTER_POLICY,
      ForeignEdit.NOBODY,
      (others, id) -> others.edit(id, "metadata: {annotations: {policysync.dev/applied: null}}")),
  FORGETS_WHO_OWNS_IT(
      ForeignEdit.VALIDATING_POLICY, ForeignEdit.NOBODY, OtherWriters::forgetOwners),
  FORGETS_WHO_OWNS_IT_AND_ADDS_A_FIELD(
      ForeignEdit.CLUSTER_POLICY,
      ForeignEdit.NOBODY,
      (others, id) -> {
        others.edit(id, "spec: {schemaValidation: true}");
        others.forgetOwners(id);
      });

  private static final String EDITOR = "kubectl-edit";
  private static final String APPLIER = "argocd-controller";
  private static final String NOBODY = "";

  /// A policy of the kind whose rules are one atomic list.
  public static final String CLUSTER_POLICY =
      """
      apiVersion: kyverno.io/v1
      kind: ClusterPolicy
      metadata:
        name: require-team-label
        annotations: {policies.kyverno.io/title: Require a team label}
      spec:
        validationFailureAction: Enforce
        failurePolicy: Ignore
        rules:
          - name: team
            match: {any: [{resources: {kinds: [Deployment]}}]}
            validate: {message: A Deployment names its team., pattern: {metadata: {labels: {team: "?*"}}}}
      """;

  /// A policy of a kind whose lists are keyed by name, or sets.
  static final String VALIDATING_POLICY =
      """
      apiVersion: policies.kyverno.io/v1
      kind: ValidatingPolicy
      metadata: {name: no-host-network}
      spec:
        failurePolicy: Fail
        validationActions: [Audit]
        matchConstraints:
          resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
        matchConditions: [{name: not-system, expression: object.metadata.namespace != 'kube-system'}]
        variables: [{name: hostNetwork, expression: has(object.spec.hostNetwork)}]
        validations: [{expression: "!variables.hostNetwork", message: The host's network is not for pods.}]
      """;

  private final String policy;
  private final String trace;

  @SuppressWarnings("ImmutableEnumChecker") // the functions above hold nothing
  private final BiConsumer<OtherWriters, PolicyId> edit;

  ForeignEdit(String policy, String trace, BiConsumer<OtherWriters, PolicyId> edit) {
    this.policy = policy;
    this.trace = trace;
    this.edit = edit;
  }

  /// The policy that is there before.
  String policy() {
    return policy;
  }

  /// Whom the managed fields name afterwards: a field that is gone is nobody's.
  List<String> leavesTraceOf() {
    return trace.isEmpty() ? List.of() : List.of(trace);
  }

  void by(OtherWriters others, PolicyId id) {
    edit.accept(others, id);
  }
}
