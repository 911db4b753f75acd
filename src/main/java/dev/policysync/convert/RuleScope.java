package dev.policysync.convert;

import dev.policysync.base.Value;
import dev.policysync.policy.kyverno.Autogen;
import dev.policysync.policy.kyverno.KindName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// One of the rules that Kyverno makes of a rule for Pods: the written rule, or a rule of autogen
/// for controllers or for CronJobs.
///
/// @param path the path from the object to its Pod template
/// @param kinds the kinds of the controllers; empty for the written rule
public record RuleScope(List<String> path, List<KindSelector> kinds) {
  static final RuleScope WRITTEN = new RuleScope(List.of(), List.of());

  private static final String CRON_JOB = "CronJob";

  private static final int LONGEST_NAME = 63;

  public RuleScope {
    path = List.copyOf(path);
    kinds = List.copyOf(kinds);
  }

  /// Returns all scopes of a rule, the written one first.
  public static List<RuleScope> of(Value.Mapping policy, Value.Mapping rule) {
    var scopes = new ArrayList<>(List.of(WRITTEN));
    if (Autogen.appliesTo(policy, rule)) {
      var controllers = new TreeSet<>(Autogen.controllers(policy));
      var cronJobs = controllers.remove(CRON_JOB);
      if (!controllers.isEmpty()) {
        scopes.add(new RuleScope(List.of("spec", "template"), selectors(controllers)));
      }
      if (cronJobs) {
        scopes.add(
            new RuleScope(
                List.of("spec", "jobTemplate", "spec", "template"), selectors(Set.of(CRON_JOB))));
      }
    }
    return scopes;
  }

  private static List<KindSelector> selectors(Set<String> kinds) {
    return kinds.stream()
        .filter(KindName.POD_CONTROLLERS::contains)
        .map(KindSelector::ofController)
        .toList();
  }

  boolean isWritten() {
    return kinds.isEmpty();
  }

  /// Returns the value as autogen writes it for this scope. `updateFields` of Kyverno's
  /// pkg/autogen/v1 replaces strings in the whole rule, whatever they mean there.
  ///
  /// @param objects the expressions for the Pod in these strings: `request.object`
  Value rewrite(Value value, List<String> objects) {
    if (isWritten()) {
      return value;
    }
    return switch (value) {
      case Value.Text(var text) -> new Value.Text(rewrite(text, objects));
      case Value.Mapping(var fields) -> {
        var applied = new LinkedHashMap<String, Value>();
        fields.forEach((name, field) -> applied.put(name, rewrite(field, objects)));
        yield new Value.Mapping(applied);
      }
      case Value.Sequence(var items) ->
          new Value.Sequence(items.stream().map(item -> rewrite(item, objects)).toList());
      default -> value;
    };
  }

  private String rewrite(String text, List<String> objects) {
    var applied = text;
    for (var field : List.of("spec", "metadata")) {
      for (var object : objects) {
        applied =
            applied.replace(
                object + "." + field, object + "." + String.join(".", path) + "." + field);
      }
    }
    return applied;
  }

  /// Returns an expression for the Pod of an object: the object itself or its Pod template, null if
  /// there is none. The expression has no meaning for kinds outside these scopes.
  static String pod(List<RuleScope> scopes, Place object) {
    var cronJobs = new ArrayList<RuleScope>();
    var others = new ArrayList<RuleScope>();
    scopes.stream()
        .filter(scope -> !scope.isWritten())
        .forEach(scope -> (scope.isOfCronJobs() ? cronJobs : others).add(scope));
    var expression = new StringBuilder(object.field("kind").is("\"Pod\"") + " ? " + object + " : ");
    for (var scope : cronJobs) {
      expression.append(others.isEmpty() ? "" : object.field("kind").is("\"CronJob\"") + " ? ");
      expression.append(scope.template(object)).append(others.isEmpty() ? "" : " : ");
    }
    others.forEach(scope -> expression.append(scope.template(object)));
    return expression.toString();
  }

  private String template(Place object) {
    return object + ".?" + String.join(".", path) + ".orValue(null)";
  }

  /// Returns the name that Kyverno gives to the rule of this scope. Results and exceptions use it.
  ///
  /// @param rule the name of the written rule
  public String ruleName(String rule) {
    var name = isWritten() ? rule : (isOfCronJobs() ? "autogen-cronjob-" : "autogen-") + rule;
    return name.length() > LONGEST_NAME ? name.substring(0, LONGEST_NAME) : name;
  }

  /// Tests whether the object's kind belongs to this scope, apart from the rule's `match`.
  ///
  /// @param scopes all scopes of the rule, including this one
  Cel isOf(Place object, List<RuleScope> scopes) {
    if (!isWritten()) {
      return KindSelector.matchesAny(kinds, object);
    }
    return Cel.any(
            scopes.stream()
                .filter(scope -> !scope.isWritten())
                .map(scope -> scope.isOf(object, scopes))
                .toList())
        .not();
  }

  boolean isOfCronJobs() {
    return path.size() > 2;
  }
}
