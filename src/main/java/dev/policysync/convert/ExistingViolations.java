package dev.policysync.convert;

import dev.policysync.base.Json;
import dev.policysync.base.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Handles `allowExistingViolations`: with Enforce, an UPDATE passes if the old object already
/// violated the rule.
///
/// Source: Kyverno 1.19.0, `validateOldObject`: the old object is judged as if an unknown user
/// created it. Both objects have to fail; an error is not a failure.
final class ExistingViolations {
  private static final String ADVICE =
      "set allowExistingViolations: false, or write the rule by hand";

  /// Matches fields of the request that an update may change.
  private static final Pattern OF_OBJECT =
      Pattern.compile(
          "\\brequest\\s*\\.\\s*(?!object\\.metadata\\.(name|namespace|uid)\\b)(object|oldObject|operation)\\b");

  private static final List<String> JUDGED = List.of("CREATE", "UPDATE", "DELETE");

  private ExistingViolations() {}

  /// Returns whether a rule with the action Enforce lets existing violations pass: the rule judges
  /// updates, and would judge the old object as created.
  ///
  /// @throws Untranslatable if `match` has no exact translation
  static boolean areAllowed(Value.Mapping rule) {
    return !new Value.Bool(false)
            .equals(rule.mapping("validate").fields().get("allowExistingViolations"))
        && MatchTranslation.translate(rule, RuleScope.WRITTEN)
            .operations(JUDGED)
            .containsAll(List.of("CREATE", "UPDATE"));
  }

  /// Tests whether the old object of an UPDATE violates the rule, judged as if it were created.
  ///
  /// @param matches tests whether the rule applies to the old object
  /// @param violates what has to be true of the old object besides
  static Cel violatedBefore(Cel matches, Cel... violates) {
    var all = new ArrayList<>(List.of(Cel.comparison("request.operation == \"UPDATE\""), matches));
    all.addAll(List.of(violates));
    return Cel.all(all);
  }

  /// Refuses a rule that lets existing violations pass if its verdict on the old object has no
  /// exact translation.
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

  /// Refuses a context that reads fields that may change: when Kyverno judges the old object, the
  /// context still has the values of the new one.
  private static void checkContext(Value.Mapping holder) {
    var context = holder.field("context");
    if (context.filter(entries -> OF_OBJECT.matcher(Json.write(entries)).find()).isPresent()) {
      throw Untranslatable.field(
          holder, "context", "Enforce with a context that reads the object", ADVICE);
    }
  }

  private static void checkAnchors(Value.Mapping holder, String field) {
    if (holder.field(field).filter(PatternTranslation::mayMissField).isPresent()) {
      throw Untranslatable.field(holder, field, "Enforce with anchors that may be missing", ADVICE);
    }
  }
}
