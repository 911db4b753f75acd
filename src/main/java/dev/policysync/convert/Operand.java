package dev.policysync.convert;

import dev.policysync.base.Value;
import java.util.ArrayList;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// One side of a condition: a written value, or a variable `{{ … }}`.
///
/// Source: Kyverno 1.19.0, `substituteVariablesIfAny`: a string that is one variable and nothing
/// else becomes the variable's value, of whatever type. In a list or a map Kyverno then looks for
/// variables again (`TraverseJSON`), so that a string of the object is evaluated as a variable, or
/// is an error.
///
/// @param written the value, if it is not a variable
/// @param stored whether the operand is a string of a ConfigMap
/// @param ofContext whether the operand may read variables of the context
record Operand(Term term, Optional<Value> written, boolean stored, boolean ofContext) {
  /// Matches `{{ … }}` in a string. The quantifiers are possessive, so that matching needs no
  /// stack.
  static final Pattern VARIABLE = Pattern.compile("\\{\\{((?:\\{[^{}]*+\\}|[^{}]++)*+)\\}\\}");

  /// Matches a variable in a string of a JSON document, or one after `\\`, which gets lost.
  private static final String REREAD =
      "\\{\\{(\\{([^{}\"\\\\]|\\\\.)*\\}|[^{}\"\\\\]|\\\\.)*\\}\\}|\\\\\\\\\\{\\{";

  static Operand of(Value.Mapping condition, String field, Roots roots, Bindings bindings) {
    var value = condition.fields().getOrDefault(field, Value.Null.NULL);
    return value instanceof Value.Text text && text.text().contains("{{")
        ? variable(text, roots, bindings)
        : literal(value);
  }

  private static Operand variable(Value.Text text, Roots roots, Bindings bindings) {
    var masked = JmesPathTranslation.masked(text.text());
    if (!VARIABLE.matcher(masked).matches()) {
      return new Operand(joined(text, masked, roots, bindings), Optional.empty(), false, false);
    }
    var expression = text.text().substring(2, masked.length() - 2);
    return new Operand(
        term(expression, roots, bindings, text),
        Optional.empty(),
        roots.isOfConfigMap(expression.strip()),
        roots.isOfContext(expression));
  }

  private static Term term(String expression, Roots roots, Bindings bindings, Value.Text at) {
    if (Set.of("", "@").contains(expression.strip()) || expression.strip().startsWith("-")) {
      throw unusual(at);
    }
    return JmesPathTranslation.of(expression, roots, bindings, at);
  }

  private static Untranslatable unusual(Value.Text at) {
    return Untranslatable.value(at, "a variable in an unusual form", "write it in CEL");
  }

  /// Translates a string with variables in it. If the substituted string contains a variable, the
  /// result is an error, as Kyverno would look that one up, too.
  private static Term joined(Value.Text text, String masked, Roots roots, Bindings bindings) {
    if (text.text().contains("\\{{")) {
      throw unusual(text);
    }
    var parts = new ArrayList<String>();
    var fails = Cel.FALSE;
    int from = 0;
    var matcher = VARIABLE.matcher(masked);
    while (matcher.find()) {
      var term =
          term(text.text().substring(matcher.start(1), matcher.end(1)), roots, bindings, text);
      parts.add(Cel.quoted(text.text().substring(from, matcher.start())));
      parts.add(bindings.bind(term.asText().text()));
      fails = fails.or(term.error());
      from = matcher.end();
    }
    var rest = text.text().substring(from);
    if (parts.isEmpty() || (rest + parts).contains("{{")) {
      throw unusual(text);
    }
    parts.add(Cel.quoted(rest));
    var whole = bindings.bind(String.join(" + ", parts));
    var again = Cel.call(whole + ".matches(\"\\\\{\\\\{(\\\\{[^{}]*\\\\}|[^{}])*\\\\}\\\\}\")");
    return Term.of(whole, Set.of(JsonType.STRING)).withoutMissing(fails.or(again));
  }

  private static Operand literal(Value value) {
    check(value);
    var term =
        switch (value) {
          case Value.Text(var text) -> Term.of(Cel.quoted(text), Set.of(JsonType.STRING));
          case Value.Numeric(var literal) -> Term.of(literal, Set.of(JsonType.NUMBER));
          case Value.Bool(var bool) -> Term.of(Boolean.toString(bool), Set.of(JsonType.BOOL));
          case Value.Null() -> Term.of("dyn(null)", Set.of(JsonType.NULL));
          case Value.Sequence _ -> Term.of("[]", Set.of(JsonType.LIST));
          case Value.Mapping _ -> Term.of("{}", Set.of(JsonType.MAP));
        };
    return new Operand(term.braceless(), Optional.of(value), false, false);
  }

  private static void check(Value value) {
    switch (value) {
      case Value.Text(var text) when text.contains("{{") || text.contains("$(") ->
          throw Untranslatable.value(
              value, "a variable inside a text", "compare with the value itself in CEL");
      case Value.Sequence(var items) -> items.forEach(Operand::check);
      case Value.Mapping(var fields) when !fields.isEmpty() ->
          throw Untranslatable.value(value, "a map in a condition", "compare its fields in CEL");
      default -> {}
    }
  }

  boolean isLiteral() {
    return written.isPresent();
  }

  /// Returns whether the operand is a list or a map that is written in the policy.
  boolean isListOrMap() {
    return isLiteral() && (term.mayBe(JsonType.LIST) || term.mayBe(JsonType.MAP));
  }

  /// Tests whether the operand is a list or a map in which Kyverno finds a variable. The resulting
  /// value cannot be predicted, so it is an error here, as it is in Kyverno for most strings.
  Cel holdsVariable() {
    if (isLiteral() || stored || !(term.mayBe(JsonType.LIST) || term.mayBe(JsonType.MAP))) {
      return Cel.FALSE;
    }
    return term.is(JsonType.LIST, JsonType.MAP)
        .and(Cel.matches("json.marshal(dyn(" + term.text() + "))", REREAD));
  }

  /// Refuses a list or a map in which a string of the object may be a variable.
  ///
  /// @param wanted whether the condition is about a list or a map
  void checkFinal(Value.Mapping condition, boolean wanted) {
    if (!isLiteral() && !stored && !term.isFinal() && (wanted || term.isComposed())) {
      throw Untranslatable.value(
          condition,
          "a condition about a list or a map of texts in which Kyverno may find variables",
          "Kyverno reads these texts again as variables; write it in CEL, or compare each of them"
              + " in a foreach");
    }
  }
}
