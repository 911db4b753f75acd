package dev.policysync.lint.rules;

import static dev.policysync.lint.rules.LegacyRule.each;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.base.Value;
import dev.policysync.base.yaml.DocumentLimit;
import dev.policysync.base.yaml.YamlDocument;
import dev.policysync.base.yaml.YamlStream;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.Rule;
import dev.policysync.policy.PolicyKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Rules about the parts of a rule that Kyverno rejects: actions, conditions, exclusions, context
/// entries, patterns and patches.
final class RuleParts {
  private RuleParts() {}

  static List<Rule> rules() {
    return List.of(ACTION, CONDITION, POD_SECURITY, CONTEXT_ENTRY, PATCH);
  }

  /// Source: Kyverno 1.19, `Rule.ValidateRuleType`, `Validate.validateElements`,
  /// `foreachElemCount`, `Mutate.Validate` and `validateForEach`, `validateRuleContext` for CEL.
  private static final Rule ACTION =
      Rule.error(
          "PS042",
          "Rule without exactly one action",
          """
          Kyverno rejects a rule that does not have exactly one of `validate`, `mutate`, `generate` and \
          `verifyImages`. `validate` requires exactly one of `pattern`, `anyPattern`, `deny`, `foreach`, \
          `podSecurity`, `cel` and `manifests`; an item of its `foreach` a `list` and exactly one check; `mutate` not \
          both patches, nor a patch beside `foreach`. `celPreconditions` are only for `validate.cel`, `context` is \
          not, and `imageExtractors` are only for `verifyImages`.\
          """,
          "Give the rule exactly one action with exactly one check or patch.",
          each(RuleParts::judgeActions));

  private static final List<String> ACTIONS =
      List.of("mutate", "validate", "generate", "verifyImages");
  private static final List<String> CHECKS =
      List.of("pattern", "anyPattern", "deny", "foreach", "podSecurity", "cel", "manifests");
  private static final List<String> FOREACH_CHECKS =
      List.of("pattern", "anyPattern", "deny", "foreach");
  private static final List<String> PATCHES = List.of("patchStrategicMerge", "patchesJson6902");

  private static void judgeActions(LegacyRule rule, LintFindingSink found) {
    var actions = rule.node().all(ACTIONS).filter(action -> !action.children().isEmpty()).toList();
    if (actions.isEmpty()) {
      found.refused(
          rule.node(), rule.label() + " has none of validate, mutate, generate and verifyImages");
    } else if (actions.size() > 1) {
      found.refused(
          actions.get(1),
          rule.label() + " has both " + actions.getFirst().name() + " and " + actions.get(1).name(),
          "Use a rule for each.");
    } else {
      judgeAction(rule, actions.getFirst(), found);
    }
  }

  private static void judgeAction(LegacyRule rule, Node action, LintFindingSink found) {
    if (!action.name().equals("verifyImages")) {
      refuse(
          rule, rule.node().all("imageExtractors"), "imageExtractors without verifyImages", found);
      if (!action.has("cel")) {
        refuse(
            rule,
            rule.node().all("celPreconditions"),
            "celPreconditions without validate.cel",
            found);
      }
    }
    switch (action.name()) {
      case "validate" -> judgeValidate(rule, action, found);
      case "mutate" -> judgeMutate(rule, action, found);
      default -> {}
    }
  }

  private static void judgeValidate(LegacyRule rule, Node validate, LintFindingSink found) {
    var checks = validate.all(CHECKS).toList();
    if (checks.isEmpty()) {
      found.refused(
          validate,
          rule.label()
              + " validates nothing: one of "
              + String.join(", ", CHECKS)
              + " is required");
    } else if (checks.size() > 1) {
      found.refused(
          checks.get(1),
          rule.label() + " has both " + checks.getFirst().name() + " and " + checks.get(1).name());
    }
    validate.items("foreach").forEach(each -> judgeForeach(rule, each, found));
    if (validate.has("cel") && !rule.node().items("context").isEmpty()) {
      refuse(rule, rule.node().all("context"), "a context, which CEL cannot use", found);
    }
  }

  private static void judgeForeach(LegacyRule rule, Node each, LintFindingSink found) {
    if (each.text("list").isEmpty()) {
      refuse(rule, Stream.of(each), "a foreach without a list", found);
    }
    var checks = each.all(FOREACH_CHECKS).toList();
    if (checks.size() != 1) {
      found.refused(
          checks.isEmpty() ? each : checks.get(1),
          rule.label()
              + " has a foreach with "
              + (checks.isEmpty() ? "none" : "more than one")
              + " of "
              + String.join(", ", FOREACH_CHECKS));
    }
  }

  private static void judgeMutate(LegacyRule rule, Node mutate, LintFindingSink found) {
    var patches = mutate.all(PATCHES).toList();
    var each = mutate.items("foreach");
    if (patches.size() > 1 || (!each.isEmpty() && !patches.isEmpty())) {
      refuse(
          rule,
          Stream.of(patches.getLast()),
          "more than one of foreach, patchStrategicMerge and patchesJson6902",
          found);
    }
    refuse(
        rule,
        each.stream().flatMap(RuleParts::leaves).filter(item -> item.all(PATCHES).count() != 1),
        "a foreach without exactly one of patchStrategicMerge and patchesJson6902",
        found);
  }

  private static Stream<Node> leaves(Node each) {
    var nested = each.items("foreach");
    return nested.isEmpty() ? Stream.of(each) : nested.stream().flatMap(RuleParts::leaves);
  }

  private static void refuse(
      LegacyRule rule, Stream<Node> nodes, String what, LintFindingSink found) {
    nodes.forEach(node -> found.refused(node, rule.label() + " has " + what));
  }

  /// Source: Kyverno 1.19, `validateConditions`, `validateConditionValues`,
  /// `validateConditionValuesKeyRequestOperation`, `validateRawJSONConditionOperator`,
  /// `operator.IsOperatorValid`.
  private static final Rule CONDITION =
      Rule.error(
          "PS044",
          "Invalid condition",
          """
          A condition requires `key`, `operator` and `value`, and an operator that Kyverno knows; `{{ \
          request.operation }}` can only be compared with CREATE, UPDATE, DELETE and CONNECT. The schema does not \
          look into preconditions and deny conditions, but Kyverno's webhook rejects the policy.\
          """,
          "Use one of Equals, NotEquals, AnyIn, AllIn, AnyNotIn, AllNotIn, GreaterThan, "
              + "GreaterThanOrEquals, LessThan and LessThanOrEquals, and set key and value.",
          each(RuleParts::judgeConditions));

  private static final Set<String> OPERATORS =
      Set.of(
          "Equal",
          "Equals",
          "NotEqual",
          "NotEquals",
          "In",
          "AnyIn",
          "AllIn",
          "NotIn",
          "AnyNotIn",
          "AllNotIn",
          "GreaterThanOrEquals",
          "GreaterThan",
          "LessThanOrEquals",
          "LessThan",
          "DurationGreaterThanOrEquals",
          "DurationGreaterThan",
          "DurationLessThanOrEquals",
          "DurationLessThan");
  private static final Set<String> OPERATIONS = Set.of("CREATE", "UPDATE", "DELETE", "CONNECT");

  private static void judgeConditions(LegacyRule rule, LintFindingSink found) {
    conditionsOfRule(rule.node()).forEach(condition -> judgeCondition(condition, found));
    conditionsOfParts(rule.node()).forEach(condition -> judgeOperator(condition, found));
  }

  /// Returns all conditions of a rule.
  static Stream<Node> allConditions(Node rule) {
    return Stream.concat(conditionsOfRule(rule), conditionsOfParts(rule));
  }

  private static Stream<Node> conditionsOfRule(Node rule) {
    return rule.all("preconditions", "validate.deny.conditions").flatMap(RuleParts::conditions);
  }

  private static Stream<Node> conditionsOfParts(Node rule) {
    return Stream.concat(
            rule.all("validate.foreach[]", "mutate.foreach[]")
                .flatMap(RuleParts::conditionsOfForeach),
            rule.all("verifyImages[].attestations[].conditions[]"))
        .flatMap(RuleParts::conditions);
  }

  private static Stream<Node> conditionsOfForeach(Node each) {
    return Stream.concat(
        each.all("preconditions", "deny.conditions"),
        each.items("foreach").stream().flatMap(RuleParts::conditionsOfForeach));
  }

  /// Returns the conditions in `any` and `all`, or in a plain list, the older notation.
  static Stream<Node> conditions(Node node) {
    return node.items().isEmpty() ? node.all("any[]", "all[]") : node.items().stream();
  }

  private static void judgeCondition(Node condition, LintFindingSink found) {
    for (var field : List.of("key", "value")) {
      if (!condition.has(field)) {
        found.refused(condition, "the condition has no " + field);
        return;
      }
    }
    judgeOperator(condition, found);
    if (condition.text("key").replace(" ", "").equals("{{request.operation}}")) {
      var value = condition.atOrSelf("value");
      var variable = value.text().startsWith("{{") && value.text().endsWith("}}");
      (value.items().isEmpty() ? Stream.of(value) : value.items().stream())
          .filter(item -> !variable && !OPERATIONS.contains(item.text()))
          .forEach(item ->
              found.at(
                  item,
                  "request.operation is never this value; Kyverno rejects the condition",
                  "Use CREATE, UPDATE, DELETE or CONNECT."));
    }
  }

  private static void judgeOperator(Node condition, LintFindingSink found) {
    var operator = condition.at("operator");
    if (operator.isEmpty()) {
      found.refused(condition, "the condition has no operator");
    } else if (!OPERATORS.contains(operator.get().text())) {
      found.refused(operator.get(), "unknown operator");
    }
  }

  /// Source: Kyverno 1.19, `PodSecurityStandard.Validate`, `Rule.ValidatePSaControlNames`,
  /// `pss/utils/mapping.go`.
  private static final Rule POD_SECURITY =
      Rule.error(
          "PS047",
          "Invalid podSecurity exclusion",
          """
          An exclusion from a control of containers (e.g. Capabilities, Host Ports) requires `images`, one from a \
          control of Pods (e.g. Sysctls, HostPath Volumes) cannot have them; `restrictedField` and `values` belong \
          together; a control of level restricted cannot be excluded from level baseline. Kyverno rejects the policy \
          or exception.\
          """,
          "Add or remove images, restrictedField or values.",
          RuleParts::judgePodSecurity);

  private static final Set<String> OF_CONTAINERS =
      Set.of(
          "Capabilities",
          "Privileged Containers",
          "Host Ports",
          "/proc Mount Type",
          "Privilege Escalation");
  private static final Set<String> OF_PODS =
      Set.of("Host Namespaces", "HostPath Volumes", "Sysctls", "Volume Types");
  private static final Set<String> RESTRICTED =
      Set.of(
          "Volume Types",
          "Privilege Escalation",
          "Running as Non-root",
          "Running as Non-root user");

  private static void judgePodSecurity(LintedPolicy policy, LintFindingSink found) {
    for (var rule : LegacyRule.of(policy)) {
      for (var exclude : rule.node().items("validate", "podSecurity", "exclude")) {
        judgeExclusion(exclude, found);
        if (rule.node().text("validate", "podSecurity", "level").equals("baseline")
            && RESTRICTED.contains(exclude.text("controlName"))) {
          found.at(
              exclude.atOrSelf("controlName"),
              "level baseline does not have this control; Kyverno rejects the exclusion");
        }
      }
    }
    if (policy.type() == PolicyKind.Type.RULE_EXCEPTION) {
      policy.spec().items("podSecurity").forEach(exclude -> judgeExclusion(exclude, found));
    }
  }

  private static void judgeExclusion(Node exclude, LintFindingSink found) {
    var control = exclude.text("controlName");
    var images = !exclude.items("images").isEmpty();
    var where = exclude.atOrSelf("controlName");
    if (OF_CONTAINERS.contains(control) && !images) {
      found.at(
          where,
          control
              + " is a control of containers and requires images; Kyverno rejects the exclusion");
    } else if (OF_PODS.contains(control) && images) {
      found.at(
          exclude.atOrSelf("images"),
          control + " is a control of Pods and cannot have images; Kyverno rejects the exclusion");
    }
    if (exclude.text("restrictedField").isEmpty() != exclude.items("values").isEmpty()) {
      found.at(where, "restrictedField and values belong together; Kyverno rejects the exclusion");
    }
  }

  /// Source: Kyverno 1.19, `validateRuleContext` and the functions that it calls,
  /// `v2.ValidateContext` of cleanup policies, `GlobalContextEntrySpec.Validate`.
  private static final Rule CONTEXT_ENTRY =
      Rule.error(
          "PS049",
          "Invalid context entry",
          """
          An entry of a rule's `context` requires a name that is not predefined (`request`, `images`, `element` and \
          the like) and exactly one of `configMap`, `apiCall`, `globalReference`, `imageRegistry` and `variable`, each \
          with what it needs: a ConfigMap its name and namespace, a variable a value or a `jmesPath`. Cleanup policies \
          cannot use ConfigMaps and registries. A GlobalContextEntry whose call has `data` requires `method: POST`. \
          Kyverno rejects the policy.\
          """,
          "Give the entry a name and exactly one source.",
          RuleParts::judgeContext);

  private static final List<String> SOURCES =
      List.of("configMap", "apiCall", "globalReference", "imageRegistry", "variable");
  private static final List<String> RESERVED =
      List.of(
          "images",
          "request",
          "serviceAccountName",
          "serviceAccountNamespace",
          "element",
          "elementIndex");

  private static void judgeContext(LintedPolicy policy, LintFindingSink found) {
    var spec = policy.spec();
    if (policy.hasRules()) {
      spec.all("rules[].context[]").forEach(entry -> judgeEntry(entry, found));
    }
    if (policy.type() == PolicyKind.Type.CLEANUP) {
      spec.all("context[]")
          .flatMap(entry -> entry.all("configMap", "imageRegistry"))
          .forEach(node ->
              found.refused(node, "a cleanup policy cannot use " + node.name(), "Use apiCall."));
    }
    if (policy.type() == PolicyKind.Type.CONTEXT_ENTRY) {
      spec.at("apiCall").ifPresent(call -> judgeCall(call, found));
      spec.at("kubernetesResource")
          .filter(resource -> resource.text("group").isEmpty())
          .filter(resource -> !resource.text("version").equals("v1"))
          .ifPresent(resource ->
              found.refused(resource, "the resource has no group", "Set the group, e.g. apps."));
    }
  }

  private static void judgeCall(Node call, LintFindingSink found) {
    if (call.has("service") != call.text("urlPath").isEmpty()) {
      found.refused(call, "the call requires either service or urlPath");
    }
    if (call.has("data") && !call.text("method").equals("POST")) {
      found.refused(
          call.atOrSelf("data"), "a call with data requires method POST", "Set method: POST.");
    }
  }

  private static void judgeEntry(Node entry, LintFindingSink found) {
    var name = entry.text("name");
    if (name.isEmpty()) {
      found.refused(entry, "the context entry has no name");
    }
    if (RESERVED.stream().anyMatch(word -> name.equals(word) || name.startsWith(word + "."))) {
      found.refused(
          entry.atOrSelf("name"),
          name + " is predefined, so no context entry can have this name",
          "Use another name.");
    }
    var sources = entry.all(SOURCES).toList();
    if (sources.size() != 1) {
      found.refused(
          entry, "the context entry has not exactly one of " + String.join(", ", SOURCES));
      return;
    }
    var source = sources.getFirst();
    switch (source.name()) {
      case "configMap" -> requireTexts(source, List.of("name", "namespace"), found);
      case "globalReference" -> requireTexts(source, List.of("name"), found);
      case "imageRegistry" -> requireTexts(source, List.of("reference"), found);
      case "apiCall" -> {
        if (source.has("service") && !source.text("urlPath").isEmpty()) {
          found.refused(source, "the call has both service and urlPath");
        }
      }
      default -> {
        if (source.text("jmesPath").isEmpty() && (!source.has("value") || source.has("default"))) {
          found.refused(
              source,
              "the variable has neither a value nor a jmesPath, or a default without a jmesPath");
        }
      }
    }
  }

  private static void requireTexts(Node source, List<String> fields, LintFindingSink found) {
    fields.stream()
        .filter(field -> source.text(field).isEmpty())
        .forEach(field -> found.refused(source, source.name() + " has no " + field));
  }

  /// Source: Kyverno 1.19, `validateJSONPatch`, `validateJSONPatchPathForForwardSlash`,
  /// `jsonPatchPathHasVariables`, `common.ValidatePattern`, `isLabelAndAnnotationsString`.
  private static final Rule PATCH =
      Rule.error(
          "PS052",
          "Invalid pattern or patch",
          """
          A pattern of `validate` cannot have the anchor `+()`, which is for patches, `^()` requires a list with an \
          item, and labels and annotations are strings. The data of a generate rule cannot have anchors. Each \
          operation of `patchesJson6902` requires a known `op` and a `path` that begins with a slash. Kyverno rejects \
          the policy.\
          """,
          "Write the pattern or patch as the message says.",
          each(RuleParts::judgePatches));

  private static final Pattern ADD_ANCHOR = Pattern.compile("\\+\\(.*\\)");
  private static final Pattern EXISTENCE = Pattern.compile("\\^\\(.*\\)");
  private static final Pattern ANCHOR = Pattern.compile("([+=X<]|\\^)?\\(.+\\)");

  private static void judgePatches(LegacyRule rule, LintFindingSink found) {
    var node = rule.node();
    node.all("validate.pattern", "validate.anyPattern[]")
        .flatMap(pattern -> pattern.selfAndDescendants().stream())
        .forEach(part -> judgeAnchor(part, found));
    node.all("validate.pattern", "validate.anyPattern[]", "mutate.patchStrategicMerge")
        .flatMap(pattern -> pattern.all("metadata.labels", "metadata.annotations"))
        .flatMap(labels -> labels.fields().stream())
        .filter(label -> !label.isText())
        .forEach(label ->
            found.at(
                label,
                "labels and annotations are strings; Kyverno rejects this value",
                "Quote it."));
    node.all("generate.data")
        .flatMap(data -> data.selfAndDescendants().stream())
        .filter(part -> ANCHOR.matcher(part.name()).matches())
        .forEach(
            part -> found.refused(part, "generated data cannot have the anchor " + part.name()));
    node.all("mutate.patchesJson6902").forEach(patch -> judgeJsonPatch(patch, found));
  }

  private static void judgeAnchor(Node node, LintFindingSink found) {
    if (ADD_ANCHOR.matcher(node.name()).matches()) {
      found.refused(node, "the anchor " + node.name() + " is for patches, not for patterns");
    } else if (EXISTENCE.matcher(node.name()).matches() && node.items().isEmpty()) {
      found.refused(node, "the anchor " + node.name() + " requires a list with an item");
    }
  }

  private static final Set<String> OPERATION_NAMES =
      Set.of("add", "remove", "replace", "move", "copy", "test");
  private static final Set<String> WITH_VALUE = Set.of("add", "replace", "test");

  private static void judgeJsonPatch(Node patch, LintFindingSink found) {
    var operations = jsonPatch(patch.text());
    if (operations.isEmpty()) {
      found.refused(patch, "the JSON patch is no list of operations");
      return;
    }
    for (var operation : operations.get()) {
      var path = operation.text("path").orElse("");
      if (!path.startsWith("/")) {
        found.refused(
            patch, "the path of a JSON patch begins with a slash, \"" + path + "\" does not");
      }
      var op = operation.text("op").orElse("");
      if (!OPERATION_NAMES.contains(op)) {
        found.refused(patch, "the JSON patch has the unknown operation \"" + op + "\"");
      } else if (WITH_VALUE.contains(op) && !operation.fields().containsKey("value")) {
        found.refused(patch, "the operation " + op + " of the JSON patch has no value");
      }
    }
  }

  private static final Pattern VARIABLE = Pattern.compile("\\{\\{(?:\\{[^{}]*\\}|[^{}])*\\}\\}");
  private static final long LARGEST_PATCH = 16 << 20;

  /// Reads the operations of a JSON patch that is written as YAML in a string, each variable
  /// replaced by a word as Kyverno does; empty if the patch is not a list of mappings.
  private static Optional<List<Value.Mapping>> jsonPatch(String patch) {
    var plain = VARIABLE.matcher(patch).replaceAll("kyvernojsonpatchvariable");
    var operations = new ArrayList<Value.Mapping>();
    var sound = new ArrayList<Boolean>();
    YamlStream.read(
        plain.getBytes(UTF_8),
        DocumentLimit.of(LARGEST_PATCH),
        document -> {
          if (document instanceof YamlDocument.WellFormed(_, Value.Sequence(var items), _, _, _)) {
            items.forEach(item -> {
              if (item instanceof Value.Mapping mapping) {
                operations.add(mapping);
              } else {
                sound.add(false);
              }
            });
          } else if (!(document instanceof YamlDocument.WellFormed(_, Value.Null(), _, _, _))) {
            sound.add(false);
          }
        });
    return sound.isEmpty() ? Optional.of(operations) : Optional.empty();
  }
}
