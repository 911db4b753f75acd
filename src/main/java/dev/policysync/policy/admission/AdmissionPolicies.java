package dev.policysync.policy.admission;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.base.Value;
import dev.policysync.policy.PolicyKind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/// Validates the fields of admission policies and their bindings as the API server does, beyond
/// their schema. Expressions are not compiled.
///
/// Source: Kubernetes 1.36, `pkg/apis/admissionregistration/validation`.
public final class AdmissionPolicies {
  private static final int MOST_CONDITIONS = 64;
  private static final int MOST_ANNOTATIONS = 20;
  private static final int LONGEST_ANNOTATION = 5 * 1024;
  private static final Pattern IDENTIFIER = Pattern.compile("[_a-zA-Z][_a-zA-Z0-9]*");
  private static final Pattern LABEL = Pattern.compile("[a-z]([-a-z0-9]{0,61}[a-z0-9])?");
  private static final Pattern SUBDOMAIN =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
  private static final Set<String> RESERVED =
      Set.of(
          "true",
          "false",
          "null",
          "in",
          "as",
          "break",
          "const",
          "continue",
          "else",
          "for",
          "function",
          "if",
          "import",
          "let",
          "loop",
          "package",
          "namespace",
          "return",
          "var",
          "void",
          "while");
  private static final Map<String, String> PATCHES =
      Map.of("JSONPatch", "jsonPatch", "ApplyConfiguration", "applyConfiguration");

  private final PolicyKind.Type type;
  private final String name;
  private final Value.Mapping spec;
  private final List<FieldFault> faults = new ArrayList<>();

  private AdmissionPolicies(PolicyKind.Type type, String name, Value.Mapping spec) {
    this.type = type;
    this.name = name;
    this.spec = spec;
  }

  /// Returns what the API server rejects, with paths in the policy; empty for other kinds.
  public static List<FieldFault> faults(PolicyKind kind, Value.Mapping policy) {
    var found =
        new AdmissionPolicies(
            kind.type(),
            policy.mapping("metadata").text("name").orElse(""),
            policy.mapping("spec"));
    switch (kind.type()) {
      case VALIDATING_ADMISSION -> found.validating();
      case MUTATING_ADMISSION -> found.mutating();
      case VALIDATING_BINDING -> {
        found.binding();
        found.actions();
      }
      case MUTATING_BINDING -> found.binding();
      case RULES,
          CLEANUP,
          VALIDATING,
          IMAGE_VALIDATING,
          MUTATING,
          GENERATING,
          DELETING,
          RULE_EXCEPTION,
          CEL_POLICY_EXCEPTION,
          CONTEXT_ENTRY -> {
        // The API server knows these kinds by their CRDs alone.
      }
    }
    return found.faults.stream().map(fault -> fault.below("spec")).toList();
  }

  private void validating() {
    policy();
    var validations = spec.items("validations");
    var annotations = spec.items("auditAnnotations");
    if (validations.isEmpty() && annotations.isEmpty()) {
      add("the policy has neither validations nor auditAnnotations", "validations");
    }
    each("validations", this::validation);
    if (annotations.size() > MOST_ANNOTATIONS) {
      add("a policy has at most 20 auditAnnotations", "auditAnnotations");
    }
    each("auditAnnotations", this::annotation);
    unique("auditAnnotations", "key");
  }

  private void mutating() {
    policy();
    operations("matchConstraints");
    if (spec.items("mutations").isEmpty()) {
      add("the policy has no mutations", "mutations");
    }
    each("mutations", this::mutation);
    var reinvocation = spec.text("reinvocationPolicy");
    if (!reinvocation.filter(Set.of("Never", "IfNeeded")::contains).isPresent()) {
      add("reinvocationPolicy has to be Never or IfNeeded", "reinvocationPolicy");
    }
  }

  private void policy() {
    oneOf(spec, List.of("failurePolicy"), Set.of("Fail", "Ignore"));
    spec.field("paramKind")
        .ifPresent(kind -> {
          if (kind instanceof Value.Mapping mapping) {
            paramKind(mapping);
          }
        });
    if (spec.mapping("matchConstraints").items("resourceRules").isEmpty()) {
      add("the policy matches no resources: resourceRules is missing", "matchConstraints");
    }
    matchResources("matchConstraints");
    if (spec.items("matchConditions").size() > MOST_CONDITIONS) {
      add("a policy has at most 64 match conditions", "matchConditions");
    }
    each("matchConditions", this::condition);
    unique("matchConditions", "name");
    each("variables", this::variable);
    unique("variables", "name");
  }

  private void paramKind(Value.Mapping kind) {
    var apiVersion = kind.text("apiVersion").orElse("");
    var slash = apiVersion.indexOf('/');
    var version = apiVersion.substring(slash + 1);
    if (!LABEL.matcher(version).matches()
        || (slash > 0 && !SUBDOMAIN.matcher(apiVersion.substring(0, slash)).matches())) {
      add(
          "apiVersion is not a group and a version, e.g. rules.example.com/v1",
          "paramKind",
          "apiVersion");
    }
    if (!LABEL.matcher(kind.text("kind").orElse("").toLowerCase(Locale.ROOT)).matches()) {
      add("kind is not the kind of a resource", "paramKind", "kind");
    }
  }

  private void matchResources(String field) {
    var resources = spec.mapping(field);
    oneOf(resources, List.of(field, "matchPolicy"), Set.of("Exact", "Equivalent"));
    for (var list : List.of("resourceRules", "excludeResourceRules")) {
      var rules = resources.items(list);
      for (int i = 0; i < rules.size(); i++) {
        if (rules.get(i) instanceof Value.Mapping rule) {
          var step = "[" + i + "]";
          ResourceRules.faults(rule).forEach(fault -> faults.add(fault.below(field, list, step)));
          resourceNames(rule).ifPresent(reason -> add(reason, field, list, step, "resourceNames"));
        }
      }
    }
    for (var selector : List.of("namespaceSelector", "objectSelector")) {
      LabelSelectors.faults(resources.mapping(selector))
          .forEach(fault -> faults.add(fault.below(field, selector)));
    }
  }

  private static Optional<String> resourceNames(Value.Mapping rule) {
    var names = rule.texts("resourceNames");
    return names.stream().anyMatch(it -> !isSegment(it))
        ? Optional.of("a name cannot be . or .. and contains neither / nor %")
        : names.size() > Set.copyOf(names).size()
            ? Optional.of("the same name is in the list twice")
            : Optional.empty();
  }

  private static boolean isSegment(String name) {
    return !name.equals(".") && !name.equals("..") && !name.contains("/") && !name.contains("%");
  }

  /// Reports that a mutation cannot apply to objects that are deleted.
  private void operations(String field) {
    var rules = spec.mapping(field).mappings("resourceRules");
    for (int i = 0; i < rules.size(); i++) {
      if (rules.get(i).texts("operations").contains("DELETE")) {
        add(
            "a MutatingAdmissionPolicy cannot match DELETE",
            field,
            "resourceRules",
            "[" + i + "]",
            "operations");
      }
    }
  }

  private void condition(Value.Mapping condition, String... path) {
    if (!condition.text("name").filter(LabelSelectors::isQualifiedName).isPresent()) {
      add("the name of a match condition is like the key of a label", append(path, "name"));
    }
    requireText(condition, "expression", path);
  }

  private void variable(Value.Mapping variable, String... path) {
    var identifier = variable.text("name").orElse("");
    if (!IDENTIFIER.matcher(identifier).matches() || RESERVED.contains(identifier)) {
      add("the name is not an identifier of CEL", append(path, "name"));
    }
    requireText(variable, "expression", path);
  }

  private void validation(Value.Mapping validation, String... path) {
    requireText(validation, "expression", path);
    for (var field : List.of("message", "messageExpression")) {
      if (validation.text(field).filter(text -> !text.isEmpty() && text.isBlank()).isPresent()) {
        add(field + " is blank", append(path, field));
      }
    }
    if (validation
        .text("message")
        .filter(text -> text.strip().matches("(?s).*[\\n\\r].*"))
        .isPresent()) {
      add("the message has more than one line", append(path, "message"));
    }
    oneOf(
        validation,
        List.of(append(path, "reason")),
        Set.of("Forbidden", "Invalid", "RequestEntityTooLarge"));
  }

  private void annotation(Value.Mapping annotation, String... path) {
    if (!LabelSelectors.isQualifiedName(name + "/" + annotation.text("key").orElse(""))) {
      add(
          "the key does not form the key of an annotation with the policy's name",
          append(path, "key"));
    }
    requireText(annotation, "valueExpression", path);
    if (annotation
        .text("valueExpression")
        .filter(text -> text.strip().getBytes(UTF_8).length > LONGEST_ANNOTATION)
        .isPresent()) {
      add("the expression is longer than 5 KiB", append(path, "valueExpression"));
    }
  }

  private void mutation(Value.Mapping mutation, String... path) {
    var patch = PATCHES.get(mutation.text("patchType").orElse(""));
    if (patch == null) {
      add("patchType has to be ApplyConfiguration or JSONPatch", append(path, "patchType"));
      return;
    }
    for (var field : PATCHES.values()) {
      var present = mutation.field(field).isPresent();
      if (field.equals(patch) && !present) {
        add("the patchType requires " + field, path);
      } else if (!field.equals(patch) && present) {
        add(field + " is not for this patchType", append(path, field));
      } else if (present) {
        requireText(mutation.mapping(field), "expression", append(path, field));
      }
    }
  }

  private void binding() {
    if (!spec.text("policyName").filter(it -> SUBDOMAIN.matcher(it).matches()).isPresent()) {
      add("policyName is not the name of a policy", "policyName");
    }
    matchResources("matchResources");
    if (type == PolicyKind.Type.MUTATING_BINDING) {
      operations("matchResources");
    }
    if (spec.field("paramRef").isPresent()) {
      paramRef(spec.mapping("paramRef"));
    }
  }

  private void paramRef(Value.Mapping ref) {
    var named = !ref.text("name").orElse("").isEmpty();
    var selected = ref.field("selector").isPresent();
    if (named == selected) {
      add(
          named ? "name and selector exclude each other" : "one of name and selector is required",
          "paramRef");
    }
    if (!ref.text("name").filter(it -> !isSegment(it)).isEmpty()) {
      add("a name cannot be . or .. and contains neither / nor %", "paramRef", "name");
    }
    LabelSelectors.faults(ref.mapping("selector"))
        .forEach(fault -> faults.add(fault.below("paramRef", "selector")));
    if (!ref.text("parameterNotFoundAction")
        .filter(Set.of("Allow", "Deny")::contains)
        .isPresent()) {
      add("parameterNotFoundAction has to be Allow or Deny", "paramRef", "parameterNotFoundAction");
    }
  }

  private void actions() {
    var actions = spec.texts("validationActions");
    var seen = new HashSet<String>();
    for (int i = 0; i < actions.size(); i++) {
      var action = actions.get(i);
      if (!Set.of("Deny", "Warn", "Audit").contains(action)) {
        add("the action is none of Deny, Warn, Audit", "validationActions", "[" + i + "]");
      } else if (!seen.add(action)) {
        add("the same action is in the list twice", "validationActions", "[" + i + "]");
      }
    }
    if (seen.contains("Deny") && seen.contains("Warn")) {
      add("Deny and Warn exclude each other", "validationActions");
    }
  }

  @FunctionalInterface
  private interface Item {
    void judge(Value.Mapping item, String... path);
  }

  private void each(String list, Item item) {
    var items = spec.items(list);
    for (int i = 0; i < items.size(); i++) {
      if (items.get(i) instanceof Value.Mapping mapping) {
        item.judge(mapping, list, "[" + i + "]");
      }
    }
  }

  private void unique(String list, String field) {
    var items = spec.mappings(list);
    var seen = new HashSet<String>();
    for (int i = 0; i < items.size(); i++) {
      if (!items.get(i).text(field).filter(Predicate.not(seen::add)).isEmpty()) {
        add("another item has the same " + field, list, "[" + i + "]", field);
      }
    }
  }

  private void requireText(Value.Mapping holder, String field, String... path) {
    // A missing field is left to the schema.
    if (holder.text(field).filter(String::isBlank).isPresent()) {
      add(field + " is blank", append(path, field));
    }
  }

  private void oneOf(Value.Mapping holder, List<String> path, Set<String> values) {
    if (!holder.text(path.getLast()).filter(it -> !values.contains(it)).isEmpty()) {
      faults.add(
          new FieldFault(
              path,
              path.getLast()
                  + " is none of "
                  + String.join(", ", values.stream().sorted().toList())));
    }
  }

  private void add(String reason, String... path) {
    faults.add(new FieldFault(List.of(path), reason));
  }

  private static String[] append(String[] path, String step) {
    var all = new ArrayList<>(List.of(path));
    all.add(step);
    return all.toArray(String[]::new);
  }
}
