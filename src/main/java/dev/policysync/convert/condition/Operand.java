package dev.policysync.convert.condition;

import dev.policysync.convert.expression.Quoted;
import dev.policysync.convert.expression.Untranslatable;
import dev.policysync.convert.jmespath.Bindings;
import dev.policysync.convert.jmespath.JmesPathTranslation;
import dev.policysync.convert.jmespath.Kind;
import dev.policysync.convert.jmespath.Roots;
import dev.policysync.convert.jmespath.Term;
import dev.policysync.json.Value;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// One side of a condition: a value that is written there, or a variable, `{{ … }}`.
///
/// Source: Kyverno 1.19.0, `substituteVariablesIfAny`: a string that is one variable and nothing
/// else becomes the variable's value, of whatever type.
///
/// @param written the value, if it is no variable
/// @param stored whether it is a text of a ConfigMap
record Operand(Term term, Optional<Value> written, boolean stored) {
  /// `{{ … }}` in a text. What it has taken it does not give back, which costs no stack.
  static final Pattern VARIABLE = Pattern.compile("\\{\\{((?:\\{[^{}]*+\\}|[^{}]++)*+)\\}\\}");

  static Operand of(Value.Mapping condition, String field, Roots roots, Bindings bindings) {
    var value = condition.fields().getOrDefault(field, Value.Null.NULL);
    return value instanceof Value.Text text && text.text().contains("{{")
        ? variable(text, roots, bindings)
        : literal(value);
  }

  private static Operand variable(Value.Text text, Roots roots, Bindings bindings) {
    var matcher = VARIABLE.matcher(text.text());
    if (!matcher.matches()) {
      throw Untranslatable.value(
          text,
          "a variable inside a text",
          "join the texts in CEL, e.g. \"a-\" + object.metadata.name");
    }
    var expression = matcher.group(1).strip();
    if (expression.startsWith("-") || expression.equals("@") || expression.isEmpty()) {
      throw Untranslatable.value(text, "a variable in an unusual form", "write it in CEL");
    }
    return new Operand(
        JmesPathTranslation.of(expression, roots, bindings, text),
        Optional.empty(),
        roots.isOfConfigMap(expression));
  }

  private static Operand literal(Value value) {
    check(value);
    var term =
        switch (value) {
          case Value.Text(var text) -> Term.of(Quoted.text(text), Set.of(Kind.STRING));
          case Value.Numeric(var literal) -> Term.of(literal, Set.of(Kind.NUMBER));
          case Value.Bool(var bool) -> Term.of(Boolean.toString(bool), Set.of(Kind.BOOL));
          case Value.Null() -> Term.of("dyn(null)", Set.of(Kind.NULL));
          case Value.Sequence _ -> Term.of("[]", Set.of(Kind.LIST));
          case Value.Mapping _ -> Term.of("{}", Set.of(Kind.MAP));
        };
    return new Operand(term, Optional.of(value), false);
  }

  private static void check(Value value) {
    var texts =
        switch (value) {
          case Value.Text text -> List.of(text.text());
          case Value.Sequence(var items) -> {
            items.forEach(Operand::check);
            yield List.<String>of();
          }
          case Value.Mapping mapping when !mapping.fields().isEmpty() ->
              throw Untranslatable.value(
                  mapping, "a map in a condition", "compare its fields in CEL");
          default -> List.<String>of();
        };
    for (var text : texts) {
      if (text.contains("{{") || text.contains("$(")) {
        throw Untranslatable.value(
            value, "a variable inside a text", "compare with the value itself in CEL");
      }
    }
  }

  boolean isLiteral() {
    return written.isPresent();
  }
}
