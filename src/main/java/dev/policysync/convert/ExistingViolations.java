package dev.policysync.convert;

import dev.policysync.base.Json;
import dev.policysync.base.Value;
import dev.policysync.convert.expression.Untranslatable;
import java.util.List;
import java.util.regex.Pattern;

/// `allowExistingViolations`: with Enforce, an UPDATE of what broke the rule before is let through.
///
/// Source: Kyverno 1.19.0, `validateOldObject`: the object before is judged as if somebody nobody
/// knows created it. Both have to fail; an error is no failure.
final class ExistingViolations {
  private static final String ADVICE =
      "set allowExistingViolations: false, or write the rule by hand";

  /// Fields that an update may change.
  private static final Pattern OF_OBJECT =
      Pattern.compile(
          "\\brequest\\s*\\.\\s*(?!object\\.metadata\\.(name|namespace|uid)\\b)(object|oldObject|operation)\\b");

  /// Where fields are missing that these anchors name, Kyverno makes an error of a failure.
  private static final Pattern ANCHOR = Pattern.compile("[X^]?\\(.+\\)", Pattern.DOTALL);

  private static final List<String> JUDGED = List.of("CREATE", "UPDATE", "DELETE");

  private ExistingViolations() {}

  /// Whether a rule whose action is Enforce lets them be: one that judges updates, and would judge
  /// the object before as created.
  ///
  /// @throws Untranslatable if `match` cannot be said exactly
  static boolean areAllowed(Value.Mapping rule) {
    return !new Value.Bool(false)
            .equals(rule.mapping("validate").fields().get("allowExistingViolations"))
        && MatchTranslation.of(rule, RuleScope.WRITTEN)
            .operations(JUDGED)
            .containsAll(List.of("CREATE", "UPDATE"));
  }

  /// Refuses a rule that does, and of which cannot be said what it makes of the object before.
  static void check(Value.Mapping rule) {
    var validate = rule.mapping("validate");
    checkContext(rule);
    checkAnchors(validate, "pattern");
    checkAnchors(validate, "anyPattern");
    for (var foreach : validate.mappings("foreach")) {
      checkContext(foreach);
      checkAnchors(foreach, "pattern");
      checkAnchors(foreach, "anyPattern");
    }
  }

  /// Kyverno has the values of the object after it still.
  private static void checkContext(Value.Mapping holder) {
    var context = holder.field("context");
    if (context.filter(entries -> OF_OBJECT.matcher(Json.write(entries)).find()).isPresent()) {
      throw Untranslatable.field(
          holder, "context", "Enforce with a context that reads the object", ADVICE);
    }
  }

  private static void checkAnchors(Value.Mapping holder, String field) {
    if (holder.field(field).filter(ExistingViolations::hasAnchors).isPresent()) {
      throw Untranslatable.field(holder, field, "Enforce with anchors that may be missing", ADVICE);
    }
  }

  private static boolean hasAnchors(Value pattern) {
    return switch (pattern) {
      case Value.Mapping(var fields) ->
          fields.entrySet().stream()
              .anyMatch(field ->
                  ANCHOR.matcher(field.getKey()).matches() || hasAnchors(field.getValue()));
      case Value.Sequence(var items) -> items.stream().anyMatch(ExistingViolations::hasAnchors);
      default -> false;
    };
  }
}
