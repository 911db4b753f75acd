package dev.policysync.convert;

import dev.policysync.base.Value;
import dev.policysync.convert.expression.Untranslatable;
import dev.policysync.policy.kyverno.FailureAction;
import dev.policysync.policy.kyverno.ResourceFilter;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What a policy and a rule say beside what is judged: action, failure policy, background,
/// time-out.
///
/// Source: Kyverno 1.19's API; `docs/convert.md` has the table.
final class PolicySettings {
  /// What is read here, and what has no effect on a rule that validates.
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
    spec.mapping("webhookConfiguration").fields().keySet().stream()
        .filter(field -> !Set.of("failurePolicy", "timeoutSeconds").contains(field))
        .forEach(field -> {
          throw Untranslatable.field(
              spec.mapping("webhookConfiguration"),
              field,
              "webhookConfiguration." + Untranslatable.shown(field),
              "write its conditions among spec.matchConditions; background scans heed them there");
        });
    return new PolicySettings(spec);
  }

  /// Whether requests that break the rule are refused, where no namespace has an action of its own.
  boolean enforces(Value.Mapping rule) {
    return rule.mapping("validate")
        .text("failureAction")
        .or(() -> spec.text("validationFailureAction"))
        .filter(FailureAction::enforces)
        .isPresent();
  }

  /// A condition that cannot be evaluated makes the legacy form fail, and a ValidatingPolicy with
  /// `failurePolicy: Ignore` skip.
  void checkConditions(Value.Mapping successorSpec) {
    checkErrors(successorSpec.items("matchConditions").size() > 1);
  }

  /// Whether a request passes where a rule cannot be evaluated.
  boolean ignoresErrors() {
    return spec.mapping("webhookConfiguration")
        .text("failurePolicy")
        .or(() -> spec.text("failurePolicy"))
        .filter("Ignore"::equals)
        .isPresent();
  }

  /// An error of the legacy form lets a request pass with `failurePolicy: Ignore`.
  ///
  /// @param possible whether there may be one
  void checkErrors(boolean possible) {
    if (ignoresErrors() && possible) {
      throw Untranslatable.value(
          spec,
          "failurePolicy: Ignore with preconditions or anchors",
          "use Fail, or make sure that no condition can fail and write it by hand");
    }
  }

  /// Whether it judges what nobody requests, too.
  boolean scansInBackground() {
    return !new Value.Bool(false).equals(spec.fields().get("background"));
  }

  /// Nobody makes a background scan; Kyverno refuses such policies, too.
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

  /// What is done to requests that break the rule, by namespace.
  ///
  /// @param namespace an expression for that of the object
  List<FailureActions.Part> actions(Value.Mapping rule, String namespace) {
    return FailureActions.of(spec, rule, enforces(rule), namespace);
  }

  /// The fields of the successor's spec that say the same, apart from the action.
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
