package dev.policysync.convert;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/// The reads of the cluster that a rule makes, by name: `asked1` for `resource.List("v1", "pods",
/// "")`. Each read happens when an expression needs it, as in Kyverno, and once for all expressions
/// that can share it.
final class ResourceCalls {
  private static final Pattern OF_ELEMENT = Pattern.compile("\\belement\\d+\\b");

  private final Map<String, String> named = new LinkedHashMap<>();
  private final Map<String, String> ofElement = new LinkedHashMap<>();
  private int count;
  private boolean lists;

  /// Returns the name that stands for the answer of a call.
  String name(String call, boolean list) {
    lists |= list;
    var names = OF_ELEMENT.matcher(call).find() ? ofElement : named;
    return names.computeIfAbsent(call, _ -> "asked" + ++count);
  }

  /// Binds the reads that need the current element of a `foreach` in the expression about it.
  Cel ofElement(Cel expression) {
    var whole = bound(expression, ofElement);
    ofElement.clear();
    return whole;
  }

  boolean used() {
    return count > 0;
  }

  /// Returns whether any read is of a list.
  boolean lists() {
    return lists;
  }

  /// Returns the reads that the policy has as variables, by name.
  Map<String, String> variables() {
    var variables = new LinkedHashMap<String, String>();
    named.forEach((call, name) -> variables.put(name, call));
    return variables;
  }

  /// Binds the reads in an expression that cannot use variables of the policy.
  Cel bound(Cel expression) {
    return bound(expression, named);
  }

  /// Binds the reads in an expression that can use variables of the policy.
  Cel boundToVariables(Cel expression) {
    var variables = new LinkedHashMap<String, String>();
    named.values().forEach(name -> variables.put("variables." + name, name));
    return bound(expression, variables);
  }

  private static Cel bound(Cel expression, Map<String, String> named) {
    var whole = expression;
    for (var entry : named.entrySet()) {
      whole = whole.bind(entry.getValue(), entry.getKey());
    }
    return whole;
  }
}
