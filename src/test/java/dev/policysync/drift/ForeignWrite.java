package dev.policysync.drift;

import dev.policysync.base.CanonicalJson;
import dev.policysync.base.Value;
import dev.policysync.policy.PolicyKind;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.RawApi.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// What somebody else does to a policy of any kind, by the means that people and programs have.
enum ForeignWrite {
  NOTHING_BUT_DEFAULTS(false),
  WRITES_THE_STATUS(false),
  REPLACES_IT_BY_THE_SAME(false),
  ADDS_A_LABEL_AND_AN_ANNOTATION(false),
  EDITS_A_FIELD(true),
  PATCHES_A_FIELD(true),
  REPLACES_THE_OBJECT(true),
  FORCES_AN_APPLY(true),
  APPLIES_WHAT_IS_THERE(true),
  REMOVES_A_FIELD(true),
  ADDS_A_FIELD(true),
  ADDS_A_VARIABLE(true),
  ADDS_A_MATCH_CONDITION(true),
  REMOVES_THE_SIGNATURE(true),
  REMOVES_AN_ANNOTATION(true),
  CHANGES_AN_ANNOTATION(true),
  REMOVES_THE_LABEL(true),
  CHANGES_THE_LABEL(true),
  FORGETS_THE_OWNERS(true),
  ADDS_A_FIELD_AND_FORGETS_THE_OWNERS(true),
  TAKES_THE_AGENTS_ENTRY(true);

  private static final Set<PolicyKind> WITHOUT_STATUS =
      Set.of(
          PolicyKind.KYVERNO_EXCEPTION,
          PolicyKind.CEL_EXCEPTION,
          PolicyKind.VALIDATING_ADMISSION_POLICY_BINDING,
          PolicyKind.MUTATING_ADMISSION_POLICY_BINDING,
          PolicyKind.MUTATING_ADMISSION_POLICY);

  private static final String ADDED = "{name: added, expression: 'true'}";
  private static final String EDITOR = "?fieldManager=kubectl-edit";

  private final boolean drift;

  ForeignWrite(boolean drift) {
    this.drift = drift;
  }

  /// Whether it leaves the policy other than the agent applied it, or somebody beside the agent as
  /// an owner of its spec.
  boolean isDrift() {
    return drift;
  }

  /// Whether it can befall that kind at all.
  boolean concerns(PolicyKind kind) {
    return switch (this) {
      case WRITES_THE_STATUS -> !WITHOUT_STATUS.contains(kind);
      case ADDS_A_VARIABLE, ADDS_A_MATCH_CONDITION -> !listFor(kind).isEmpty();
      default -> true;
    };
  }

  void with(DriftedPolicy driftedPolicy) {
    var admin = driftedPolicy.admin();
    var edits = Edits.of(driftedPolicy.id().kind());
    switch (this) {
      case NOTHING_BUT_DEFAULTS -> {}
      case WRITES_THE_STATUS -> {
        var condition =
            "{type: Ready, status: 'True', reason: x, message: y, lastTransitionTime: '2026-01-01T00:00:00Z'}";
        var conditions =
            driftedPolicy.id().kind().group().equals("policies.kyverno.io")
                ? "{conditionStatus: {ready: true, message: x, conditions: [" + condition + "]}}"
                : "{conditions: [" + condition + "]}";
        admin
            .merge(
                driftedPolicy.path() + "/status?fieldManager=kyverno",
                Documents.yaml("{status: " + conditions + "}"))
            .ok();
      }
      case REPLACES_IT_BY_THE_SAME ->
          admin.put(driftedPolicy.path() + EDITOR, driftedPolicy.read()).ok();
      case ADDS_A_LABEL_AND_AN_ANNOTATION ->
          edit(driftedPolicy, "metadata: {labels: {team: shop}, annotations: {note: theirs}}").ok();
      case EDITS_A_FIELD -> edit(driftedPolicy, "spec: " + edits.changed()).ok();
      case PATCHES_A_FIELD -> {
        var before = driftedPolicy.read();
        var after = merged(before, Documents.yaml("spec: " + edits.changed()));
        admin.jsonPatch(driftedPolicy.path() + EDITOR, ObjectDiff.jsonPatch(before, after)).ok();
      }
      case REPLACES_THE_OBJECT -> {
        var after = merged(driftedPolicy.read(), Documents.yaml("spec: " + edits.changed()));
        admin.put(driftedPolicy.path() + EDITOR, after).ok();
      }
      case FORCES_AN_APPLY -> apply(driftedPolicy, Documents.yaml(edits.changed())).ok();
      case APPLIES_WHAT_IS_THERE -> apply(driftedPolicy, driftedPolicy.read().mapping("spec")).ok();
      case REMOVES_A_FIELD -> edit(driftedPolicy, "spec: " + edits.removed()).ok();
      case ADDS_A_FIELD -> edit(driftedPolicy, "spec: " + edits.added()).ok();
      case ADDS_A_VARIABLE, ADDS_A_MATCH_CONDITION -> addItem(driftedPolicy);
      case REMOVES_THE_SIGNATURE ->
          edit(driftedPolicy, "metadata: {annotations: {policysync.dev/applied: null}}").ok();
      case REMOVES_AN_ANNOTATION ->
          edit(driftedPolicy, "metadata: {annotations: {policysync.dev/source: null}}").ok();
      case CHANGES_AN_ANNOTATION ->
          edit(driftedPolicy, "metadata: {annotations: {" + DriftIT.NOTE + ": changed}}").ok();
      case REMOVES_THE_LABEL ->
          edit(driftedPolicy, "metadata: {labels: {policysync.dev/managed: null}}").ok();
      case CHANGES_THE_LABEL ->
          edit(driftedPolicy, "metadata: {labels: {policysync.dev/managed: 'false'}}").ok();
      case FORGETS_THE_OWNERS -> forgetOwners(driftedPolicy);
      case ADDS_A_FIELD_AND_FORGETS_THE_OWNERS -> {
        edit(driftedPolicy, "spec: " + edits.added()).ok();
        forgetOwners(driftedPolicy);
      }
      case TAKES_THE_AGENTS_ENTRY -> {
        var entries = new ArrayList<Value>();
        for (var entry : driftedPolicy.read().mapping("metadata").items("managedFields")) {
          entries.add(((Value.Mapping) entry).with("manager", "another"));
        }
        owners(driftedPolicy, entries);
      }
    }
  }

  /// Names of nested fields, the last of which is the list.
  private List<String> listFor(PolicyKind kind) {
    var variables = this == ADDS_A_VARIABLE;
    return switch (kind) {
      case CLUSTER_POLICY, NAMESPACED_POLICY ->
          variables ? List.of() : List.of("webhookConfiguration", "matchConditions");
      case CEL_EXCEPTION -> variables ? List.of() : List.of("matchConditions");
      case DELETING_POLICY, NAMESPACED_DELETING_POLICY ->
          List.of(variables ? "variables" : "conditions");
      case CLUSTER_CLEANUP_POLICY,
          CLEANUP_POLICY,
          KYVERNO_EXCEPTION,
          GLOBAL_CONTEXT_ENTRY,
          VALIDATING_ADMISSION_POLICY_BINDING,
          MUTATING_ADMISSION_POLICY_BINDING ->
          List.of();
      case VALIDATING_POLICY,
          IMAGE_VALIDATING_POLICY,
          MUTATING_POLICY,
          GENERATING_POLICY,
          NAMESPACED_VALIDATING_POLICY,
          NAMESPACED_IMAGE_VALIDATING_POLICY,
          NAMESPACED_MUTATING_POLICY,
          NAMESPACED_GENERATING_POLICY,
          VALIDATING_ADMISSION_POLICY,
          MUTATING_ADMISSION_POLICY ->
          List.of(variables ? "variables" : "matchConditions");
    };
  }

  private void addItem(DriftedPolicy driftedPolicy) {
    var path = listFor(driftedPolicy.id().kind());
    var holder = driftedPolicy.read().mapping("spec");
    for (var name : path.subList(0, path.size() - 1)) {
      holder = holder.mapping(name);
    }
    var items = new ArrayList<>(holder.items(path.getLast()));
    items.add(Documents.yaml(ADDED));
    Value patch = new Value.Sequence(items);
    for (var name : path.reversed()) {
      patch = Value.Mapping.EMPTY.with(name, patch);
    }
    driftedPolicy
        .admin()
        .merge(driftedPolicy.path() + EDITOR, Value.Mapping.EMPTY.with("spec", patch))
        .ok();
  }

  private static Reply edit(DriftedPolicy driftedPolicy, String patch) {
    return driftedPolicy.admin().merge(driftedPolicy.path() + EDITOR, Documents.yaml(patch));
  }

  private static Reply apply(DriftedPolicy driftedPolicy, Value.Mapping spec) {
    var live = driftedPolicy.read();
    var identity = Value.Mapping.EMPTY.with("name", driftedPolicy.id().name());
    var manifest = live.without("status").with("metadata", identity).with("spec", spec);
    return driftedPolicy
        .admin()
        .apply(
            driftedPolicy.path() + "?fieldManager=argocd-controller&force=true",
            CanonicalJson.write(manifest));
  }

  private static void forgetOwners(DriftedPolicy driftedPolicy) {
    owners(driftedPolicy, List.of(Value.Mapping.EMPTY));
  }

  private static void owners(DriftedPolicy driftedPolicy, List<Value> entries) {
    var metadata = Value.Mapping.EMPTY.with("managedFields", new Value.Sequence(entries));
    driftedPolicy
        .admin()
        .merge(driftedPolicy.path(), Value.Mapping.EMPTY.with("metadata", metadata))
        .ok();
  }

  private static Value.Mapping merged(Value.Mapping object, Value.Mapping patch) {
    var merged = object;
    for (var field : patch.fields().entrySet()) {
      var name = field.getKey();
      merged =
          field.getValue() instanceof Value.Mapping below
              ? merged.with(name, merged(merged.mapping(name), below))
              : merged.with(name, field.getValue());
    }
    return merged;
  }
}
