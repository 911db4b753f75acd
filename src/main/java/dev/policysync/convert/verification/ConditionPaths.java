package dev.policysync.convert.verification;

import dev.policysync.base.Json;
import dev.policysync.base.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import software.amazon.smithy.jmespath.JmespathException;
import software.amazon.smithy.jmespath.JmespathExpression;
import software.amazon.smithy.jmespath.ast.BinaryExpression;
import software.amazon.smithy.jmespath.ast.ComparatorExpression;
import software.amazon.smithy.jmespath.ast.CurrentExpression;
import software.amazon.smithy.jmespath.ast.FieldExpression;
import software.amazon.smithy.jmespath.ast.FilterProjectionExpression;
import software.amazon.smithy.jmespath.ast.FlattenExpression;
import software.amazon.smithy.jmespath.ast.FunctionExpression;
import software.amazon.smithy.jmespath.ast.IndexExpression;
import software.amazon.smithy.jmespath.ast.LiteralExpression;
import software.amazon.smithy.jmespath.ast.MultiSelectListExpression;
import software.amazon.smithy.jmespath.ast.NotExpression;
import software.amazon.smithy.jmespath.ast.ObjectProjectionExpression;
import software.amazon.smithy.jmespath.ast.OrExpression;
import software.amazon.smithy.jmespath.ast.ProjectionExpression;
import software.amazon.smithy.jmespath.ast.Subexpression;

/// Finds the fields that the JMESPath of a rule reads, as a pattern: in `preconditions`, `deny`,
/// `foreach` and `context`.
final class ConditionPaths {
  private static final Pattern VARIABLE = Pattern.compile("\\{\\{([^{}]*)\\}\\}");

  private static final Pattern TEXT = Pattern.compile("'([^']+)'");

  /// Strings that have a meaning where Kyverno parses a text again.
  private static final List<String> MARKS = List.of("it's", "a\\", "{", "{a}{b}");

  /// Strings that Kyverno takes for variables where it reads the strings of a list or a map again.
  private static final List<String> VARIABLES =
      List.of("{{ $labels.instance }}", "a-{{ none.such }}");

  private static final Pattern QUOTED = Pattern.compile("'\\{\\{([^{}]*)\\}\\}'");

  private final FieldTree object = new FieldTree();
  private final FieldTree elsewhere = new FieldTree();
  private final Map<String, List<FieldTree>> named = new HashMap<>();
  private final Map<String, FieldTree> documents = new LinkedHashMap<>();
  private final List<FieldTree> quoted = new ArrayList<>();

  private ConditionPaths() {}

  /// Returns the fields of the object that a rule reads.
  static Value pattern(Value.Mapping rule) {
    return of(rule).object.pattern() instanceof Value.Mapping mapping
        ? mapping
        : Value.Mapping.EMPTY;
  }

  /// Returns the fields that a rule uses of the objects in its context, by the name of the context
  /// entry.
  static Map<String, Value> documents(Value.Mapping rule) {
    var patterns = new LinkedHashMap<String, Value>();
    of(rule).documents.forEach((name, document) -> patterns.put(name, document.pattern()));
    return patterns;
  }

  private static ConditionPaths of(Value.Mapping rule) {
    var paths = new ConditionPaths();
    paths.context(rule);
    paths.conditions(rule, "preconditions");
    paths.conditions(rule.mapping("validate").mapping("deny"), "conditions");
    for (var foreach : rule.mapping("validate").mappings("foreach")) {
      paths.foreach(foreach);
    }
    paths.quoted.forEach(node -> MARKS.forEach(node::compared));
    return paths;
  }

  private void context(Value.Mapping holder) {
    for (var entry : holder.mappings("context")) {
      var name = entry.text("name").orElse("");
      entry.mapping("variable").text("jmesPath").ifPresent(path -> named.put(name, nodes(path)));
      var document = new FieldTree();
      if (entry.field("configMap").isPresent()) {
        documents.put(name, document);
        named.put(name, List.of(document));
      }
      if (entry.field("apiCall").isPresent()) {
        documents.put(name, document);
        named.put(name, ofDocument(entry.mapping("apiCall"), document));
        asked(Json.write(entry));
      }
    }
  }

  /// Records the fields of the request that a text reads: `{{ request.object.metadata.name }}`.
  private void asked(String text) {
    VARIABLE.matcher(text).results().forEach(match -> nodes(match.group(1).strip()));
  }

  private List<FieldTree> ofDocument(Value.Mapping apiCall, FieldTree document) {
    var path = apiCall.text("jmesPath").orElse("@");
    try {
      return nodes(JmespathExpression.parse(named(path)), List.of(document));
    } catch (JmespathException _) {
      return List.of();
    }
  }

  private void foreach(Value.Mapping foreach) {
    var path = foreach.text("list").orElse("");
    var nodes = new ArrayList<FieldTree>();
    for (var node : nodes(path)) {
      nodes.add(path.endsWith("]") || path.contains("[].") ? node : node.item());
    }
    named.put("element", nodes);
    context(foreach);
    conditions(foreach, "preconditions");
    conditions(foreach.mapping("deny"), "conditions");
    for (var node : nodes) {
      pattern(foreach.fields().getOrDefault("pattern", Value.Null.NULL), node);
      foreach.items("anyPattern").forEach(pattern -> pattern(pattern, node));
    }
  }

  private static void pattern(Value pattern, FieldTree node) {
    switch (pattern) {
      case Value.Mapping(var fields) ->
          fields.forEach((key, below) ->
              pattern(below, node.field(key.replaceAll("^[+<=X^]?\\((.+)\\)$", "$1"))));
      case Value.Sequence(var items) -> items.forEach(item -> pattern(item, node.item()));
      // A variable is not put into an object, because Kyverno looks for variables in objects, too.
      case Value.Text(var text) when text.contains("{{") -> {}
      case Value.Text(var text) -> node.compared(text);
      case Value.Numeric(var literal) -> node.compared(literal);
      case Value.Bool(var bool) -> node.compared(Boolean.toString(bool));
      case Value.Null() -> {}
    }
  }

  private void conditions(Value.Mapping holder, String field) {
    conditions(holder.fields().getOrDefault(field, Value.Null.NULL));
  }

  private void conditions(Value conditions) {
    switch (conditions) {
      case Value.Mapping mapping when mapping.field("key").isPresent() -> condition(mapping);
      case Value.Mapping(var fields) -> fields.values().forEach(this::conditions);
      case Value.Sequence(var items) -> items.forEach(this::conditions);
      default -> {}
    }
  }

  private void condition(Value.Mapping condition) {
    var sides =
        List.of(
            condition.fields().getOrDefault("key", Value.Null.NULL),
            condition.fields().getOrDefault("value", Value.Null.NULL));
    for (int side = 0; side < 2; side++) {
      if (sides.get(side) instanceof Value.Text(var text)) {
        var named = named(text);
        var whole = VARIABLE.matcher(named).matches();
        var matcher = VARIABLE.matcher(named);
        while (matcher.find()) {
          compared(matcher.group(1).strip(), sides.get(1 - side), whole);
        }
      }
    }
  }

  /// Records that an expression is compared with a value.
  ///
  /// @param other the value on the other side
  /// @param whole whether the variable is the whole side, so that Kyverno reads the strings of its
  ///   list again
  private void compared(String expression, Value other, boolean whole) {
    var ofItems = denotesItems(expression);
    for (var node : nodes(expression)) {
      if (ofItems && other instanceof Value.Sequence(var items)) {
        items.forEach(item -> pattern(item, node));
      } else {
        pattern(other, node);
      }
      if (whole) {
        VARIABLES.forEach((ofItems || !node.hasItem() ? node : node.item())::compared);
      }
    }
  }

  /// Returns whether the nodes of an expression are the items of the list that it yields.
  private static boolean denotesItems(String expression) {
    try {
      return denotesItems(JmespathExpression.parse(expression));
    } catch (JmespathException _) {
      return false;
    }
  }

  private static boolean denotesItems(JmespathExpression node) {
    return switch (node) {
      case ProjectionExpression _, FilterProjectionExpression _, FlattenExpression _ -> true;
      case OrExpression or -> denotesItems(or.getLeft());
      case Subexpression sub -> denotesItems(sub.getRight());
      case FunctionExpression function ->
          List.of("split", "to_array", "values").contains(function.getName());
      default -> false;
    };
  }

  /// Replaces the variables in quotes with names, and records the fields that they read.
  private String named(String text) {
    return QUOTED
        .matcher(text)
        .replaceAll(found -> {
          var name = "quoted" + named.size();
          var nodes = nodes(found.group(1).strip());
          named.put(name, nodes);
          quoted.addAll(nodes);
          TEXT.matcher(found.group(1))
              .results()
              .forEach(literal -> nodes.forEach(node -> node.compared(literal.group(1))));
          return name;
        });
  }

  private List<FieldTree> nodes(String expression) {
    try {
      return nodes(JmespathExpression.parse(expression), List.of());
    } catch (JmespathException _) {
      return List.of();
    }
  }

  private List<FieldTree> nodes(JmespathExpression node, List<FieldTree> current) {
    return switch (node) {
      case FieldExpression field -> field(field.getName(), current);
      case CurrentExpression _ -> current;
      case LiteralExpression _ -> List.of();
      case Subexpression sub -> {
        var left = nodes(sub.getLeft(), current);
        yield sub.isPipe() && isList(sub.getLeft())
            ? ofItems(sub.getRight(), left)
            : nodes(sub.getRight(), left);
      }
      case FlattenExpression flatten -> items(nodes(flatten.getExpression(), current));
      case IndexExpression _ -> items(current);
      case NotExpression not -> nodes(not.getExpression(), current);
      case FilterProjectionExpression filter -> {
        var items = items(nodes(filter.getLeft(), current));
        nodes(filter.getComparison(), items);
        yield nodes(filter.getRight(), items);
      }
      case ObjectProjectionExpression values ->
          nodes(
              values.getRight(),
              nodes(values.getLeft(), current).stream().map(map -> map.field("some")).toList());
      case ProjectionExpression projection -> {
        var left = nodes(projection.getLeft(), current);
        yield nodes(
            projection.getRight(),
            projection.getLeft() instanceof FlattenExpression ? left : items(left));
      }
      case ComparatorExpression comparator -> compared(comparator, current);
      case FunctionExpression function -> function(function, current);
      case MultiSelectListExpression list -> {
        var all = new ArrayList<FieldTree>();
        list.getExpressions().forEach(item -> all.addAll(nodes(item, current)));
        yield all;
      }
      case BinaryExpression binary -> {
        var both = new ArrayList<>(nodes(binary.getLeft(), current));
        both.addAll(nodes(binary.getRight(), current));
        yield both;
      }
      default -> List.of();
    };
  }

  /// Returns whether the nodes of the expression are the items of the list that it yields.
  private static boolean isList(JmespathExpression node) {
    return node instanceof ProjectionExpression || node instanceof FlattenExpression;
  }

  /// Returns the nodes of an expression about the list of these items.
  private List<FieldTree> ofItems(JmespathExpression node, List<FieldTree> items) {
    return switch (node) {
      case IndexExpression _ -> items;
      case Subexpression sub -> nodes(sub.getRight(), ofItems(sub.getLeft(), items));
      default -> nodes(node, items);
    };
  }

  private List<FieldTree> field(String name, List<FieldTree> current) {
    if (current.isEmpty()) {
      return name.equals("request") ? List.of(elsewhere) : named.getOrDefault(name, List.of());
    }
    if (current.equals(List.of(elsewhere))) {
      // The command line uses the same object as the old object of an update.
      return List.of(name.matches("object|oldObject") ? object : new FieldTree());
    }
    return current.stream().map(tree -> tree.field(name)).toList();
  }

  private static List<FieldTree> items(List<FieldTree> lists) {
    return lists.stream().map(FieldTree::item).toList();
  }

  private List<FieldTree> compared(ComparatorExpression comparator, List<FieldTree> current) {
    var left = nodes(comparator.getLeft(), current);
    var right = nodes(comparator.getRight(), current);
    literal(comparator.getRight(), left);
    literal(comparator.getLeft(), right);
    return List.of();
  }

  private static void literal(JmespathExpression literal, List<FieldTree> nodes) {
    if (literal instanceof LiteralExpression value && value.getValue() != null) {
      nodes.forEach(node -> node.compared(value.getValue().toString()));
    }
  }

  private List<FieldTree> function(FunctionExpression function, List<FieldTree> current) {
    var all = new ArrayList<FieldTree>();
    for (var argument : function.getArguments()) {
      all.addAll(nodes(argument, current));
    }
    for (var argument : function.getArguments()) {
      if (argument instanceof LiteralExpression value && value.isStringValue()) {
        var keys =
            function.getArguments().stream()
                .anyMatch(
                    one -> one instanceof FunctionExpression of && of.getName().equals("keys"));
        all.forEach(node -> {
          if (keys) {
            node.field(value.expectStringValue());
          } else {
            node.compared(value.expectStringValue());
          }
        });
      }
    }
    if (function.getName().equals("values")) {
      return all.stream().map(node -> node.field("some")).toList();
    }
    return function.getName().equals("keys") ? List.of() : all;
  }

  /// The fields that expressions read, and the values that they are compared with, as a pattern
  /// from which objects are made.
  private static final class FieldTree {
    private final Map<String, FieldTree> fields = new LinkedHashMap<>();
    private final Set<String> literals = new LinkedHashSet<>();
    private Optional<FieldTree> item = Optional.empty();

    FieldTree field(String name) {
      return fields.computeIfAbsent(name, _ -> new FieldTree());
    }

    FieldTree item() {
      if (item.isEmpty()) {
        item = Optional.of(new FieldTree());
      }
      return item.orElseThrow();
    }

    boolean hasItem() {
      return item.isPresent();
    }

    void compared(String literal) {
      literals.add(literal);
    }

    Value pattern() {
      if (item.isPresent()) {
        return new Value.Sequence(List.of(item.orElseThrow().pattern()));
      }
      if (!fields.isEmpty()) {
        var mapping = Value.Mapping.EMPTY;
        for (var field : fields.entrySet()) {
          mapping = mapping.with(field.getKey(), field.getValue().pattern());
        }
        return mapping;
      }
      return new Value.Text(literals.isEmpty() ? "x" : String.join("|", literals));
    }
  }
}
