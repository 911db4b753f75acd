package dev.policysync.convert;

import dev.policysync.base.Json;
import dev.policysync.base.Value;
import dev.policysync.convert.condition.ResourceCalls;
import dev.policysync.convert.expression.Untranslatable;
import java.util.List;
import java.util.regex.Pattern;

/// Checks the `context` of a rule as a whole.
final class RuleContext {
  private static final Pattern OBJECT =
      Pattern.compile("\\brequest\\s*\\.\\s*(object|namespace)\\b");

  /// Matches an expression that reveals `kind` or `apiVersion` of items of lists. Items have both
  /// in `resource.List()`, and lack them in the API server's answer.
  private static final Pattern OF_ITEMS =
      Pattern.compile("\\b(kind|apiVersion)\\b|\\b(keys|values|to_string|items)\\s*\\(");

  /// Matches fields of the object, which has `kind` and `apiVersion` in both forms.
  private static final Pattern OF_OBJECT =
      Pattern.compile("\\brequest\\.object(\\.\\w+)*(?!\\()\\b");

  private static final Pattern NAMESPACE_OF_REQUEST = Pattern.compile("\\brequest\\.namespace\\b");

  private static final Pattern NAMESPACES = Pattern.compile("\"([^\"]*/)?Namespace\"");

  private RuleContext() {}

  /// Returns whether the context reads the object. In the context, Kyverno leaves the object as it
  /// is on a deletion.
  static boolean readsObject(Value.Mapping rule) {
    return rule.field("context")
        .filter(context -> OBJECT.matcher(Json.write(context)).find())
        .isPresent();
  }

  /// Refuses a context with which the successor would judge otherwise.
  static void check(Value.Mapping rule, ResourceCalls calls, PolicySettings settings) {
    if (!calls.used()) {
      return;
    }
    if (settings.ignoresErrors()) {
      throw Untranslatable.field(
          rule,
          "context",
          "failurePolicy: Ignore with a context that is read of the cluster",
          "use Fail; what cannot be read lets requests pass in other ways in each form");
    }
    if (NAMESPACE_OF_REQUEST.matcher(read(rule)).find()
        && NAMESPACES.matcher(Json.write(rule.mapping("match"))).find()) {
      throw Untranslatable.field(
          rule,
          "context",
          "request.namespace in a context of a rule about Namespaces",
          "in requests it is the name of the Namespace itself, in scans nothing; use"
              + " request.object.metadata.name");
    }
    if (calls.lists() && OF_ITEMS.matcher(OF_OBJECT.matcher(read(rule)).replaceAll("")).find()) {
      throw Untranslatable.field(
          rule,
          "context",
          "an apiCall for a list whose items are asked for kind, apiVersion or all their fields",
          "in resource.List() they have both, in the API server's answer they may not; write it by"
              + " hand");
    }
  }

  private static String read(Value.Mapping rule) {
    var text = new StringBuilder();
    var validate = rule.mapping("validate");
    for (var part : List.of("context", "preconditions")) {
      rule.field(part).ifPresent(value -> text.append(Json.write(value)));
    }
    for (var part : List.of("deny", "foreach")) {
      validate.field(part).ifPresent(value -> text.append(Json.write(value)));
    }
    return text.toString();
  }
}
