package dev.policysync.drift;

import dev.policysync.base.CanonicalJson;
import dev.policysync.base.Value;
import dev.policysync.policy.PolicyKind;
import dev.policysync.testcluster.RawApi;
import dev.policysync.testcluster.TimeLimits;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.awaitility.Awaitility;

/// The fields of a kind, or of a part of it, as the API server publishes them (OpenAPI v3).
///
/// @param components what references lead to, by name
/// @param node the part itself, no reference; empty where nothing is said about it
record Schema(Value.Mapping components, Value.Mapping node) {
  private static final String REFERENCE = "#/components/schemas/";
  private static final List<String> WORDS = List.of("a", "b", "true", "object.metadata.name");
  private static final int DEEPEST = 4;

  /// The schema of that kind at its best version.
  static Schema of(RawApi api, PolicyKind kind) {
    var version = kind.versions().getFirst();
    var path = "/openapi/v3/apis/" + kind.group() + "/" + version;
    // The kinds are served a moment before their schemas are published.
    var document =
        Awaitility.await("the schemas of " + kind.group())
            .atMost(TimeLimits.WAIT)
            .until(() -> api.get(path), answer -> answer.status() == 200)
            .ok();
    var components = document.mapping("components").mapping("schemas");
    return components.fields().values().stream()
        .map(schema -> resolved(components, schema))
        .filter(schema -> schema.describes(kind, version))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no schema of " + kind.qualified()));
  }

  private boolean describes(PolicyKind kind, String version) {
    var names =
        Map.<String, Value>of(
            "group", new Value.Text(kind.group()),
            "version", new Value.Text(version),
            "kind", new Value.Text(kind.kind()));
    return node.items("x-kubernetes-group-version-kind").contains(new Value.Mapping(names));
  }

  /// What it says of the field of that name.
  Schema property(String name) {
    var properties = node.mapping("properties").fields();
    return resolved(
        components, properties.getOrDefault(name, node.mapping("additionalProperties")));
  }

  /// What it says of the items of a list.
  Schema items() {
    return resolved(components, node.mapping("items"));
  }

  List<String> properties() {
    return List.copyOf(node.mapping("properties").fields().keySet());
  }

  /// Whether it is a list whose items have names of their own, so that their order has none.
  boolean unordered() {
    var type = node.text("x-kubernetes-list-type").orElse("");
    return type.equals("map") || type.equals("set");
  }

  /// That value as far as managed fields can tell of it: the items of its unordered lists in one
  /// order, without those that are empty and the mappings that hold nothing else.
  Value plain(Value value) {
    return switch (value) {
      case Value.Mapping(var fields) -> {
        var kept = new LinkedHashMap<String, Value>();
        fields.forEach((name, field) -> {
          var schema = property(name);
          var plain = schema.plain(field);
          var emptied = plain.equals(Value.Mapping.EMPTY) && !plain.equals(field);
          if (!emptied && !(schema.unordered() && plain.equals(new Value.Sequence(List.of())))) {
            kept.put(name, plain);
          }
        });
        yield new Value.Mapping(kept);
      }
      case Value.Sequence(var items) -> {
        var plain = new ArrayList<Value>();
        items.forEach(item -> plain.add(items().plain(item)));
        if (unordered()) {
          plain.sort(Comparator.comparing(CanonicalJson::write));
        }
        yield new Value.Sequence(plain);
      }
      default -> value;
    };
  }

  /// A value that it allows, as far as its types tell.
  Value sample(Random random) {
    return sample(random, 0);
  }

  private Value sample(Random random, int depth) {
    var choices = node.items("enum");
    if (!choices.isEmpty()) {
      return choices.get(random.nextInt(choices.size()));
    }
    return switch (node.text("type").orElse("")) {
      case "boolean" -> new Value.Bool(random.nextBoolean());
      case "integer", "number" -> Value.Numeric.of(BigInteger.valueOf(1 + random.nextInt(20)));
      case "array" ->
          new Value.Sequence(
              depth > DEEPEST || random.nextInt(4) == 0
                  ? List.of()
                  : List.of(items().sample(random, depth + 1)));
      case "object" -> object(random, depth);
      default -> new Value.Text(WORDS.get(random.nextInt(WORDS.size())));
    };
  }

  private Value object(Random random, int depth) {
    var required = node.items("required");
    var fields = new LinkedHashMap<String, Value>();
    for (var name : properties()) {
      var wanted = required.contains(new Value.Text(name));
      if (wanted || (depth < DEEPEST && random.nextInt(6) == 0)) {
        fields.put(name, property(name).sample(random, depth + 1));
      }
    }
    if (properties().isEmpty() && random.nextBoolean()) {
      fields.put("a", new Value.Text("b"));
    }
    return new Value.Mapping(fields);
  }

  private static Schema resolved(Value.Mapping components, Value schema) {
    if (!(schema instanceof Value.Mapping mapping)) {
      return new Schema(components, Value.Mapping.EMPTY);
    }
    var all = new LinkedHashMap<>(mapping.fields());
    var parts = new ArrayList<Value>(mapping.items("allOf"));
    parts.add(mapping);
    for (var part : parts) {
      if (part instanceof Value.Mapping reference && reference.text("$ref").isPresent()) {
        var name = reference.text("$ref").orElseThrow().substring(REFERENCE.length());
        components.mapping(name).fields().forEach(all::putIfAbsent);
      }
    }
    return new Schema(components, new Value.Mapping(all));
  }
}
