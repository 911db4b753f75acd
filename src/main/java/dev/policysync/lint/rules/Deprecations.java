package dev.policysync.lint.rules;

import static dev.policysync.lint.LintSeverity.ERROR;
import static dev.policysync.lint.LintSeverity.NOTE;
import static dev.policysync.lint.LintSeverity.WARNING;
import static dev.policysync.lint.rules.LegacyRule.each;

import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.Rule;
import dev.policysync.lint.Rule.Trait;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.kyverno.AffectedVersions;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Rules about what is deprecated: fields, versions, kinds, operators and notations.
final class Deprecations {
  private Deprecations() {}

  static List<Rule> rules() {
    return List.of(MOVED_FIELD, API_VERSION, KIND, OPERATOR, MATCH_WITHOUT_LIST, LOWER_CASE_ACTION);
  }

  private static final Rule MOVED_FIELD =
      Rule.note(
              "PS002",
              "Moved or removed field",
              """
              Kyverno 1.13 moved several fields from a policy's `spec` to where they are used and deprecated the old ones: \
              `validationFailureAction` and its overrides to each rule's `validate` or `verifyImages`, `failurePolicy` and \
              `webhookTimeoutSeconds` to `webhookConfiguration`, `generateExisting` and `mutateExistingOnPolicyUpdate` to \
              the rules. In `verifyImages`, `image` has become `imageReferences`, and keys, roots, subjects and issuers \
              belong to `attestors`.

              The old fields look effective, but a rule's own action takes precedence over the policy's. 1.19 rejects a \
              policy with `generateExistingOnPolicyUpdate`, and one with a timeout or failurePolicy in both places; these \
              two are errors. `schemaValidation` and `validate.assert` have no effect at all, a warning. The rest works as \
              before, so it is a note, reported once per run with the number of policies.\
              """,
              "Move the value to the new field; its meaning is the same.",
              Deprecations::judgeFields,
              Trait.ONCE_PER_RUN)
          .since("1.13");

  /// The deprecated fields of the spec, and the new place of each.
  private static final Map<String, String> IN_SPEC =
      Map.of(
          "validationFailureAction",
          "validate.failureAction or verifyImages[].failureAction of each rule",
          "validationFailureActionOverrides",
          "validate.failureActionOverrides of each rule",
          "failurePolicy",
          "spec.webhookConfiguration.failurePolicy",
          "webhookTimeoutSeconds",
          "spec.webhookConfiguration.timeoutSeconds",
          "generateExisting",
          "generate.generateExisting of each rule",
          "mutateExistingOnPolicyUpdate",
          "mutate.mutateExistingOnPolicyUpdate of each rule");

  private static final Map<String, String> IN_IMAGES =
      Map.of(
          "image", "imageReferences",
          "key", "attestors",
          "roots", "attestors",
          "subject", "attestors",
          "issuer", "attestors",
          "annotations", "attestors");

  private static void judgeFields(LintedPolicy policy, LintFindingSink found) {
    if (!policy.hasRules()) {
      return;
    }
    var spec = policy.spec();
    spec.fields().forEach(field -> judgeFieldOfSpec(field, spec, found));
    spec.all("rules[].validate.assert").forEach(node -> reportNoEffect(node, found));
    spec.all("rules[].verifyImages[]")
        .flatMap(entry -> entry.fields().stream())
        .filter(field -> IN_IMAGES.containsKey(field.name()))
        .forEach(field ->
            found.at(
                field,
                "verifyImages[]." + field.name() + " is deprecated",
                "Use " + IN_IMAGES.get(field.name()) + "."));
    spec.all("rules[].verifyImages[].attestations[].predicateType")
        .forEach(node ->
            found.at(
                node,
                "attestations[].predicateType is deprecated",
                "Rename it to attestations[].type."));
  }

  private static void judgeFieldOfSpec(Node field, Node spec, LintFindingSink found) {
    var name = field.name();
    if (name.equals("generateExistingOnPolicyUpdate")) {
      found.at(
          field,
          ERROR,
          "Kyverno 1.19 rejects a policy with spec.generateExistingOnPolicyUpdate",
          "Set generate.generateExisting in the rules instead.");
    } else if (name.equals("schemaValidation")) {
      reportNoEffect(field, found);
    } else if (IN_SPEC.containsKey(name)) {
      var now = IN_SPEC.get(name);
      if (isInBothPlaces(name, spec)) {
        found.at(
            field,
            ERROR,
            "Kyverno 1.19 rejects a policy with both spec." + name + " and " + now,
            "Keep " + now + " only.");
      } else {
        found.at(field, "spec." + name + " is deprecated", "Move it to " + now + ".");
      }
    }
  }

  private static boolean isInBothPlaces(String name, Node spec) {
    return switch (name) {
      case "failurePolicy" -> spec.has("webhookConfiguration", "failurePolicy");
      case "webhookTimeoutSeconds" -> spec.has("webhookConfiguration", "timeoutSeconds");
      default -> false;
    };
  }

  private static void reportNoEffect(Node node, LintFindingSink found) {
    found.at(
        node,
        WARNING,
        node.name() + " no longer has any effect; the check is not performed",
        node.name().equals("assert")
            ? "Write the check as a pattern, as deny conditions, or as a ValidatingPolicy."
            : "Remove it.");
  }

  private static final Rule API_VERSION =
      Rule.note(
          "PS003",
          "Deprecated apiVersion",
          """
          `v1alpha1`, `v2alpha1` and `v2beta1` of Kyverno's kinds are deprecated: the API server warns on every \
          write, and a later Kyverno will not serve them. This agent applies a policy in the preferred version that \
          the cluster serves, regardless of the manifest; `kubectl apply` does not.

          For ClusterPolicy and Policy `kyverno.io/v2beta1` also breaks server-side apply: the object loses all \
          managed fields as soon as Kyverno writes its status (seen with Kyverno 1.19.0 on Kubernetes 1.36.3), and a \
          field that is later dropped from the file, such as `validationFailureAction: Enforce`, stays in force. This is a \
          warning; the other versions work as before, so they are a note. Both are reported once per run with the \
          number of policies.\
          """,
          "Use the newest version that all clusters serve; the fields are the same.",
          Deprecations::judgeApiVersion,
          Trait.ONCE_PER_RUN);

  private static final Set<String> OLD_VERSIONS = Set.of("v2alpha1", "v1alpha1", "v2beta1");

  private static void judgeApiVersion(LintedPolicy policy, LintFindingSink found) {
    var kind = policy.kind();
    var version = policy.root().text("apiVersion");
    var old = version.substring(version.indexOf('/') + 1);
    if (!OLD_VERSIONS.contains(old) || kind.builtIn()) {
      return;
    }
    if (kind.type() == PolicyKind.Type.CONTEXT_ENTRY && old.equals("v2beta1")) {
      return; // the storage version, deprecated in no release
    }
    found.at(
        policy.root().atOrSelf("apiVersion"),
        policy.hasRules() ? WARNING : NOTE,
        version + " is a deprecated version of " + kind.kind(),
        "Write " + kind.group() + "/" + kind.versions().getFirst() + since(kind) + ".");
  }

  /// Returns since when Kyverno serves the best version of a kind, if that is not long ago.
  private static String since(PolicyKind kind) {
    return switch (kind.type()) {
      case RULES, VALIDATING_ADMISSION, MUTATING_ADMISSION, VALIDATING_BINDING, MUTATING_BINDING ->
          "";
      case CLEANUP, RULE_EXCEPTION -> ", since Kyverno 1.12";
      case CONTEXT_ENTRY,
          VALIDATING,
          IMAGE_VALIDATING,
          MUTATING,
          GENERATING,
          DELETING,
          CEL_POLICY_EXCEPTION ->
          ", since Kyverno 1.17";
    };
  }

  private static final Rule KIND =
      Rule.warning(
              "PS004",
              "Deprecated policy kind",
              """
              Since 1.17 ClusterPolicy, Policy, ClusterCleanupPolicy and CleanupPolicy are deprecated; 1.19 adds the \
              PolicyException of kyverno.io and warns on every write. By its plan, Kyverno 1.20 no longer evaluates these \
              kinds and rejects creating or changing them; objects that exist stay, without effect. So this is an error \
              for `--kyverno-version` 1.20 and later, a warning for 1.19 and where the release is unknown, and a note for \
              1.17 and 1.18. It is reported once per kind.

              Replace a policy in one change: remove the old one where the new one is added. Under the same name that \
              leaves no gap, because this agent applies the new policy before it removes the old one; as long as both are \
              there, PS028 reports them.\
              """,
              "Migrate the policies before upgrading to Kyverno 1.20.",
              Deprecations::judgeKind)
          .since("1.17");

  private static final Map<PolicyKind, String> SUCCESSORS =
      Map.of(
          PolicyKind.CLUSTER_POLICY,
          "ValidatingPolicy, ImageValidatingPolicy, MutatingPolicy and GeneratingPolicy",
          PolicyKind.NAMESPACED_POLICY,
          "NamespacedValidatingPolicy and its siblings",
          PolicyKind.CLUSTER_CLEANUP_POLICY,
          "DeletingPolicy",
          PolicyKind.CLEANUP_POLICY,
          "NamespacedDeletingPolicy",
          PolicyKind.KYVERNO_EXCEPTION,
          "PolicyException of policies.kyverno.io");

  private static final AffectedVersions BEFORE_REMOVAL = AffectedVersions.before("1.20");
  private static final AffectedVersions WARNING_EACH_WRITE = AffectedVersions.since("1.19");

  private static void judgeKind(LintedPolicy policy, LintFindingSink found) {
    var kind = policy.kind();
    var successors = SUCCESSORS.get(kind);
    var all = found.all().ofKind(kind);
    if (successors == null || !all.getFirst().equals(policy)) {
      return;
    }
    found.at(
        policy.root().atOrSelf("kind"),
        severityOfKind(found),
        kind.label()
            + " has no effect from Kyverno 1.20 on, and is rejected there; its successor is "
            + successors
            + (all.size() == 1 ? "" : "; " + all.size() + " policies have this kind"));
  }

  /// Returns the severity for the given release; for 1.19 if none is given.
  private static LintSeverity severityOfKind(LintFindingSink found) {
    if (!found.mayBeAffected(BEFORE_REMOVAL)) {
      return ERROR;
    }
    return found.mayBeAffected(WARNING_EACH_WRITE) ? WARNING : NOTE;
  }

  private static final Rule OPERATOR =
      Rule.warning(
          "PS021",
          "Deprecated condition operator",
          """
          `In`, `NotIn`, `Equal` and `NotEqual` are deprecated in conditions and preconditions. `In` and `NotIn` do \
          not state whether all or any items of a list must match, unlike their successors; the schema of newer \
          versions no longer contains `Equal` and `NotEqual`. Operators in label selectors (`matchExpressions`) and in \
          patterns are not affected.\
          """,
          "Use AnyIn or AllIn, AnyNotIn or AllNotIn, Equals, NotEquals.",
          Deprecations::judgeOperators);

  private static final Map<String, String> OPERATORS =
      Map.of(
          "In", "AnyIn or AllIn",
          "NotIn", "AnyNotIn or AllNotIn",
          "Equal", "Equals",
          "NotEqual", "NotEquals");
  private static final Set<String> CONDITIONS = Set.of("conditions", "preconditions");

  /// The fields whose content a rule compares with, generates or patches. An operator in them is
  /// not Kyverno's.
  private static final Set<String> FREE_FORM_FIELDS =
      Set.of(
          "match",
          "exclude",
          "pattern",
          "anyPattern",
          "podSecurity",
          "data",
          "patchStrategicMerge",
          "patchesJson6902",
          "selector",
          "value");

  private static void judgeOperators(LintedPolicy policy, LintFindingSink found) {
    if (policy.kind().usesCel()) {
      return;
    }
    policy
        .spec()
        .topmost(node -> CONDITIONS.contains(node.name()), FREE_FORM_FIELDS)
        .flatMap(part -> part.topmost(it -> it.name().equals("operator"), FREE_FORM_FIELDS))
        .filter(operator -> OPERATORS.containsKey(operator.text()))
        .forEach(operator ->
            found.at(
                operator,
                "the operator " + operator.text() + " is deprecated",
                "Use " + OPERATORS.get(operator.text()) + "."));
  }

  private static final Rule MATCH_WITHOUT_LIST =
      Rule.warning(
          "PS022",
          "match or exclude without any or all",
          """
          `match.resources` and `exclude.resources` predate `any` and `all` and are deprecated; `kyverno.io/v2beta1` \
          does not support them. In `exclude` each line looks like a separate exclusion, but all of them must match \
          together. `any` makes the intent explicit.\
          """,
          "Move it below any as the only item: any: [{resources: …}].",
          each(Deprecations::judgeMatch));

  private static void judgeMatch(LegacyRule rule, LintFindingSink found) {
    for (var block : List.of("match", "exclude")) {
      rule.node()
          .at(block, "resources")
          .ifPresent(node ->
              found.at(node, rule.label() + " has " + block + ".resources, which is deprecated"));
    }
  }

  private static final Rule LOWER_CASE_ACTION =
      Rule.error(
          "PS039",
          "Action in lower case",
          """
          The actions are `Enforce` and `Audit`. In lower case they are deprecated in `spec` and in overrides, where \
          Kyverno warns on every write (reported as a warning), and invalid in the `failureAction` of a rule: the API \
          server rejects the policy, usually after the field was moved there with its old value.\
          """,
          "Use Enforce or Audit.",
          Deprecations::judgeActions);

  private static void judgeActions(LintedPolicy policy, LintFindingSink found) {
    if (!policy.hasRules()) {
      return;
    }
    var spec = policy.spec();
    spec.all(
            "validationFailureAction",
            "validationFailureActionOverrides[].action",
            "rules[].validate.failureActionOverrides[].action")
        .forEach(action -> judgeAction(action, WARNING, "is deprecated", found));
    spec.all("rules[].validate.failureAction", "rules[].verifyImages[].failureAction")
        .forEach(action -> judgeAction(action, ERROR, "is rejected by the API server", found));
  }

  private static void judgeAction(
      Node action, LintSeverity severity, String what, LintFindingSink found) {
    if (action.isText("enforce") || action.isText("audit")) {
      found.at(action, severity, "\"" + action.text() + "\" in lower case " + what);
    }
  }
}
