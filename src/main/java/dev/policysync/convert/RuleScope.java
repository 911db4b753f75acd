package dev.policysync.convert;

import dev.policysync.base.Value;
import dev.policysync.convert.expression.Cel;
import dev.policysync.convert.expression.Place;
import dev.policysync.policy.kyverno.Autogen;
import dev.policysync.policy.kyverno.KindName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Which of the rules that Kyverno makes of a rule for Pods: the written one, or that of autogen
/// for controllers or for CronJobs.
///
/// @param path from such an object to the Pod that it makes
/// @param kinds of the controllers; none for the written rule
public record RuleScope(List<String> path, List<KindSelector> kinds) {
  /// The rule as it is written.
  public static final RuleScope WRITTEN = new RuleScope(List.of(), List.of());

  private static final String CRON_JOB = "CronJob";

  private static final int LONGEST_NAME = 63;

  public RuleScope {
    path = List.copyOf(path);
    kinds = List.copyOf(kinds);
  }

  /// All rules that Kyverno makes of that rule.
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

  /// Whether it is the rule as it is written.
  public boolean isWritten() {
    return kinds.isEmpty();
  }

  /// What is written for the Pod, for the object that makes it. `updateFields` of Kyverno's
  /// pkg/autogen/v1 replaces texts in the whole rule, whatever they mean there.
  ///
  /// @param objects what the Pod is called in these texts: `request.object`
  public Value applied(Value value, List<String> objects) {
    if (isWritten()) {
      return value;
    }
    return switch (value) {
      case Value.Text(var text) -> new Value.Text(applied(text, objects));
      case Value.Mapping(var fields) -> {
        var applied = new LinkedHashMap<String, Value>();
        fields.forEach((name, field) -> applied.put(name, applied(field, objects)));
        yield new Value.Mapping(applied);
      }
      case Value.Sequence(var items) ->
          new Value.Sequence(items.stream().map(item -> applied(item, objects)).toList());
      default -> value;
    };
  }

  private String applied(String text, List<String> objects) {
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

  /// Where the Pod stands that an object of one of these scopes makes, as an expression: null where
  /// there is none. It means nothing for objects of other kinds.
  public static String pod(List<RuleScope> scopes, Place object) {
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

  /// What Kyverno calls the rule of this scope in its results, where exceptions name it, too.
  ///
  /// @param rule the name of the written one
  public String ruleName(String rule) {
    var name = isWritten() ? rule : (isOfCronJobs() ? "autogen-cronjob-" : "autogen-") + rule;
    return name.length() > LONGEST_NAME ? name.substring(0, LONGEST_NAME) : name;
  }

  /// Whether it is about the object, apart from what the rule says.
  ///
  /// @param scopes of the rule, this one among them
  public Cel isOf(Place object, List<RuleScope> scopes) {
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

  /// Whether it is the one for CronJobs.
  public boolean isOfCronJobs() {
    return path.size() > 2;
  }
}
