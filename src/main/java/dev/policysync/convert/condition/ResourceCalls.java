package dev.policysync.convert.condition;

import dev.policysync.convert.expression.Cel;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/// What a rule reads of the cluster, by names: `asked1` for `resource.List("v1", "pods", "")`. Each
/// is read when an expression comes to it, as in Kyverno, and once for all expressions that can
/// share it.
public final class ResourceCalls {
  private static final Pattern OF_ELEMENT = Pattern.compile("\\belement\\d+\\b");

  private final Map<String, String> named = new LinkedHashMap<>();
  private final Map<String, String> ofElement = new LinkedHashMap<>();
  private int count;
  private boolean lists;

  /// What denotes the answer.
  String name(String call, boolean list) {
    lists |= list;
    var names = OF_ELEMENT.matcher(call).find() ? ofElement : named;
    return names.computeIfAbsent(call, _ -> "asked" + ++count);
  }

  /// The expression about an element of a `foreach`, where those are read that need the element.
  Cel ofElement(Cel expression) {
    var whole = bound(expression, ofElement);
    ofElement.clear();
    return whole;
  }

  /// Whether anything is read.
  public boolean used() {
    return count > 0;
  }

  /// Whether lists are among it.
  public boolean lists() {
    return lists;
  }

  /// Those that a policy has as variables, by name.
  public Map<String, String> variables() {
    var variables = new LinkedHashMap<String, String>();
    named.forEach((call, name) -> variables.put(name, call));
    return variables;
  }

  /// The expression where there are no variables: what it mentions is read there.
  public Cel bound(Cel expression) {
    return bound(expression, named);
  }

  /// The expression where there are.
  public Cel boundToVariables(Cel expression) {
    var variables = new LinkedHashMap<String, String>();
    named.values().forEach(name -> variables.put("variables." + name, name));
    return bound(expression, variables);
  }

  private static Cel bound(Cel expression, Map<String, String> named) {
    var whole = expression;
    for (var entry : named.entrySet()) {
      if (mentions(whole, entry.getValue())) {
        whole =
            Cel.call("cel.bind(" + entry.getValue() + ", " + entry.getKey() + ", " + whole + ")");
      }
    }
    return whole;
  }

  private static boolean mentions(Cel expression, String name) {
    return Pattern.compile("\\b" + name + "\\b").matcher(expression.text()).find();
  }
}
