package dev.policysync.lint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.policysync.base.Value;
import java.math.BigDecimal;

/// Converts values for the JSON Schema library. Fields with the value null are left out, because
/// the API server drops them before it validates an object.
final class JsonNodes {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private JsonNodes() {}

  static JsonNode of(Value value) {
    return switch (value) {
      case Value.Mapping mapping -> {
        var node = NODES.objectNode();
        mapping
            .fields()
            .forEach((name, field) -> {
              if (!(field instanceof Value.Null)) {
                node.set(name, of(field));
              }
            });
        yield node;
      }
      case Value.Sequence(var items) -> {
        var node = NODES.arrayNode();
        items.forEach(item -> node.add(of(item)));
        yield node;
      }
      case Value.Text(var text) -> NODES.textNode(text);
      case Value.Bool(var bool) -> NODES.booleanNode(bool);
      case Value.Null() -> NODES.nullNode();
      case Value.Numeric(var literal) -> number(new BigDecimal(literal));
    };
  }

  private static JsonNode number(BigDecimal number) {
    return number.stripTrailingZeros().scale() <= 0
        ? NODES.numberNode(number.toBigInteger())
        : NODES.numberNode(number);
  }
}
