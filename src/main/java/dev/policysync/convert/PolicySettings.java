package dev.policysync.convert;

import dev.policysync.base.Value;
import dev.policysync.policy.kyverno.FailureAction;
import dev.policysync.policy.kyverno.ResourceFilter;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The settings of a policy and its rules, apart from what they check: action, failure policy,
/// background scans, timeout.
///
/// Source: Kyverno 1.19's API; `docs/convert.md` has the table.
final class PolicySettings {
  /// Fields that this class reads, and fields that have no effect on a rule that validates.
  private static final Set<String> OF_SPEC =
      Set.of(
          "admission",
          "applyRules",
          "background",
          "emitWarning",
          "failurePolicy",
          "rules",
          "schemaValidation",
          "useServerSideApply",
          "validationFailureAction",
          "validationFailureActionOverrides",
          "webhookConfiguration",
          "webhookTimeoutSeconds");

  private static final Map<String, Value> HARMLESS = Map.of("emitWarning", new Value.Bool(false));

  private final Value.Mapping spec;

  private PolicySettings(Value.Mapping spec) {
    this.spec = spec;
  }

  static PolicySettings of(Value.Mapping spec) {
    spec.fields()
        .forEach((field, value) -> {
          var known = OF_SPEC.contains(field);
          if (!(known || value instanceof Value.Null)
              || !HARMLESS.getOrDefault(field, value).equals(value)) {
            throw Untranslatable.field(
                spec,
                field,
                "spec." + Untranslatable.shown(field),
                "a successor has no such field; decide what it becomes");
          }
        });
    if (spec.text("applyRules").filter("One"::equals).isPresent()
        && spec.items("rules").size() > 1) {
      throw Untranslatable.field(
          spec, "applyRules", "applyRules: One", "write the rules as one expression");
    }
    Untranslatable.checkFields(
        spec.mapping("webhookConfiguration"),
        Set.of("failurePolicy", "timeoutSeconds"),
        field -> "webhookConfiguration." + field,
        "write its conditions among spec.matchConditions; background scans heed them there");
    return new PolicySettings(spec);
  }

  /// Returns whether violations of the rule are blocked in namespaces without an action of their
  /// own.
  boolean enforces(Value.Mapping rule) {
    return rule.mapping("validate")
        .text("failureAction")
        .or(() -> spec.text("validationFailureAction"))
        .filter(FailureAction::enforces)
        .isPresent();
  }

  boolean ignoresErrors() {
    return spec.mapping("webhookConfiguration")
        .text("failurePolicy")
        .or(() -> spec.text("failurePolicy"))
        .filter("Ignore"::equals)
        .isPresent();
  }

  /// Refuses `failurePolicy: Ignore` if there may be an error: in the legacy form an error lets the
  /// request pass then. So does a match condition that cannot be evaluated make the legacy form
  /// fail, but a ValidatingPolicy with `Ignore` skip.
  ///
  /// @param possible whether there may be an error
  void checkErrors(boolean possible) {
    if (ignoresErrors() && possible) {
      throw Untranslatable.value(
          spec,
          "failurePolicy: Ignore with preconditions or anchors",
          "use Fail, or make sure that no condition can fail and write it by hand");
    }
  }

  /// Returns whether background scans judge existing objects, too.
  boolean scansInBackground() {
    return !new Value.Bool(false).equals(spec.fields().get("background"));
  }

  /// Refuses subjects in a policy with background scans: a scan has no user. Kyverno refuses such
  /// policies, too.
  void checkUsers(Value.Mapping rule) {
    for (var part : List.of("match", "exclude")) {
      if (ResourceFilter.of(rule.mapping(part)).stream()
              .anyMatch(filter -> filter.block().field("subjects").isPresent())
          && scansInBackground()) {
        throw Untranslatable.field(
            rule,
            part,
            "subjects of a policy with background scans",
            "set background: false; Kyverno refuses it otherwise");
      }
    }
  }

  /// Returns the failure actions of a rule, by namespace.
  ///
  /// @param namespace a CEL expression for the object's namespace
  List<FailureActions.Part> actions(Value.Mapping rule, String namespace) {
    return FailureActions.of(spec, rule, enforces(rule), namespace);
  }

  /// Returns the fields of the successor's spec for these settings, apart from the action.
  Value.Mapping successorSpec() {
    var successor = Value.Mapping.EMPTY;
    var webhook = spec.mapping("webhookConfiguration");
    var failurePolicy = webhook.field("failurePolicy").or(() -> spec.field("failurePolicy"));
    if (failurePolicy.isPresent()) {
      successor = successor.with("failurePolicy", failurePolicy.get());
    }
    var timeout = webhook.field("timeoutSeconds").or(() -> spec.field("webhookTimeoutSeconds"));
    if (timeout.isPresent()) {
      successor =
          successor.with(
              "webhookConfiguration", Value.Mapping.EMPTY.with("timeoutSeconds", timeout.get()));
    }
    var evaluation = Value.Mapping.EMPTY;
    for (var part : List.of("admission", "background")) {
      if (new Value.Bool(false).equals(spec.fields().get(part))) {
        evaluation =
            evaluation.with(part, Value.Mapping.EMPTY.with("enabled", new Value.Bool(false)));
      }
    }
    return evaluation.fields().isEmpty() ? successor : successor.with("evaluation", evaluation);
  }
}
