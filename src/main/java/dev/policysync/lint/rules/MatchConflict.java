package dev.policysync.lint.rules;

import dev.policysync.base.Value;
import dev.policysync.policy.kyverno.Glob;
import dev.policysync.policy.kyverno.ResourceFilter;
import java.util.List;
import java.util.Optional;

/// Decides whether Kyverno rejects a rule because its `exclude` seems to cover all of its `match`.
///
/// Kyverno compares only what stands beside `any` and `all`, field by field, and takes an absent
/// field of `exclude` for one that covers everything. So it also rejects rules that exclude little
/// or nothing.
///
/// Source: Kyverno 1.19.0, `Rule.ValidateMatchExcludeConflict`.
final class MatchConflict {
  private static final List<String> LISTS = List.of("namespaces", "kinds");
  private static final List<String> SELECTORS = List.of("selector", "namespaceSelector");

  private MatchConflict() {}

  static boolean exists(Value.Mapping match, Value.Mapping exclude) {
    if (!match.items("all").isEmpty() || !exclude.items("all").isEmpty()) {
      return false;
    }
    if (!match.items("any").isEmpty() && !exclude.items("any").isEmpty()) {
      // Equal blocks are PS043.
      return false;
    }
    if (isZero(exclude)) {
      return false;
    }
    for (var users : ResourceFilter.USERS) {
      if (!covers(exclude.items(users), match.items(users))) {
        return false;
      }
    }
    return covers(match.mapping("resources"), exclude.mapping("resources"));
  }

  private static boolean covers(Value.Mapping matched, Value.Mapping excluded) {
    var name = excluded.text("name").orElse("");
    if (!name.isEmpty() && !Glob.matches(name, matched.text("name").orElse(""))) {
      return false;
    }
    var names = excluded.texts("names");
    if (!names.isEmpty()) {
      return matched.texts("names").stream()
          .anyMatch(it -> names.stream().anyMatch(pattern -> Glob.matches(pattern, it)));
    }
    for (var list : LISTS) {
      if (!covers(excluded.items(list), matched.items(list))) {
        return false;
      }
    }
    for (var selector : SELECTORS) {
      if (!covers(excluded.field(selector), matched.field(selector))) {
        return false;
      }
    }
    return matched.field("annotations").equals(excluded.field("annotations"));
  }

  private static boolean covers(List<Value> excluded, List<Value> matched) {
    return excluded.isEmpty() || (!matched.isEmpty() && excluded.containsAll(matched));
  }

  private static boolean covers(Optional<Value> excluded, Optional<Value> matched) {
    if (excluded.isEmpty() || matched.isEmpty()) {
      return excluded.isEmpty() && matched.isEmpty();
    }
    if (!(excluded.get() instanceof Value.Mapping one)
        || !(matched.get() instanceof Value.Mapping other)) {
      return false;
    }
    var labels = one.mapping("matchLabels").fields();
    return covers(one.items("matchExpressions"), other.items("matchExpressions"))
        && (labels.isEmpty()
            || (!other.mapping("matchLabels").fields().isEmpty()
                && labels
                    .entrySet()
                    .containsAll(other.mapping("matchLabels").fields().entrySet())));
  }

  /// Returns whether Go reads the block as one without any field. An empty list is a field.
  private static boolean isZero(Value.Mapping block) {
    return block.fields().values().stream()
        .allMatch(value ->
            switch (value) {
              case Value.Null _ -> true;
              case Value.Text(var text) -> text.isEmpty();
              case Value.Mapping resources -> isZeroOfResources(resources);
              default -> false;
            });
  }

  private static boolean isZeroOfResources(Value.Mapping resources) {
    return resources.fields().values().stream()
        .allMatch(value ->
            value instanceof Value.Null
                || (value instanceof Value.Text(var text) && text.isEmpty()));
  }
}
