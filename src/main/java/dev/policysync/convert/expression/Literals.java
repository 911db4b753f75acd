package dev.policysync.convert.expression;

import dev.policysync.base.Value;
import dev.policysync.convert.expression.Term.Trait;
import dev.policysync.policy.kyverno.Glob;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import software.amazon.smithy.jmespath.ast.LiteralExpression;

/// Translates literals of a JMESPath expression.
final class Literals {
  private Literals() {}

  static Term of(LiteralExpression literal, Value at) {
    var value = LiteralExpression.unwrap(literal);
    var traits = EnumSet.noneOf(Trait.class);
    if (value instanceof String text && !text.isEmpty()) {
      traits.add(Trait.NOT_EMPTY);
    }
    if (value instanceof String text && !Glob.isPattern(text)) {
      traits.add(Trait.PLAIN);
    }
    if ((!(value instanceof Map) && !String.valueOf(value).contains("{"))
        || (value instanceof Map<?, ?> map && map.isEmpty())) {
      traits.add(Trait.BRACELESS);
    }
    return Term.of(text(value, at), Set.of(kind(value)), traits.toArray(Trait[]::new));
  }

  private static Kind kind(Object value) {
    return switch (value) {
      case null -> Kind.NULL;
      case String _ -> Kind.STRING;
      case Boolean _ -> Kind.BOOL;
      case Number _ -> Kind.NUMBER;
      case List<?> _ -> Kind.LIST;
      default -> Kind.MAP;
    };
  }

  private static String text(Object value, Value at) {
    return switch (value) {
      case null -> "dyn(null)";
      case String text -> Cel.quoted(text);
      case Boolean bool -> bool.toString();
      case Number number when number.doubleValue() == number.intValue() ->
          Integer.toString(number.intValue());
      case List<?> list -> {
        var items = new ArrayList<String>();
        list.forEach(item -> items.add("dyn(" + text(item, at) + ")"));
        yield "[" + String.join(", ", items) + "]";
      }
      case Map<?, ?> map when map.isEmpty() -> "{}";
      default ->
          throw Untranslatable.value(
              at,
              "JMESPath without an exact counterpart: a literal map or fraction",
              "write the condition in CEL");
    };
  }
}
