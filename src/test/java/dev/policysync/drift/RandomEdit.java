package dev.policysync.drift;

import dev.policysync.base.Value;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/// Draws one change of an object: somewhere in its spec, or of a label or an annotation. Most are
/// such that the schema allows them.
final class RandomEdit {
  private final Random random;

  RandomEdit(Random random) {
    this.random = random;
  }

  Value.Mapping of(Value.Mapping object, Schema schema) {
    var part = random.nextInt(5) == 0 ? "metadata" : "spec";
    if (part.equals("spec")) {
      return object.with("spec", mapping(object.mapping("spec"), schema.property("spec")));
    }
    var metadata = object.mapping("metadata");
    var field = random.nextInt(3) == 0 ? "labels" : "annotations";
    return object.with("metadata", metadata.with(field, texts(metadata.mapping(field))));
  }

  /// Labels or annotations with one more, one less, or one changed.
  private Value.Mapping texts(Value.Mapping texts) {
    var names = List.copyOf(texts.fields().keySet());
    if (names.isEmpty() || random.nextInt(3) == 0) {
      return texts.with("note-" + random.nextInt(3), text());
    }
    var name = one(names);
    return random.nextBoolean() ? texts.without(name) : texts.with(name, text());
  }

  private Value text() {
    return new Value.Text("v" + random.nextInt(3));
  }

  private Value change(Value value, Schema schema) {
    return switch (value) {
      case Value.Mapping mapping -> mapping(mapping, schema);
      case Value.Sequence(var items) -> sequence(items, schema);
      case Value.Text(var text) ->
          schema.node().items("enum").isEmpty()
              ? new Value.Text(text + "x")
              : schema.sample(random);
      case Value.Numeric _ -> Value.Numeric.of(BigInteger.valueOf(1 + random.nextInt(20)));
      case Value.Bool(var flag) -> new Value.Bool(!flag);
      case Value.Null _ -> schema.sample(random);
    };
  }

  private Value.Mapping mapping(Value.Mapping mapping, Schema schema) {
    var names = List.copyOf(mapping.fields().keySet());
    if (!names.isEmpty() && random.nextInt(3) > 0) {
      var field = one(List.copyOf(mapping.fields().entrySet()));
      var schemaBelow = schema.property(field.getKey());
      return mapping.with(field.getKey(), change(field.getValue(), schemaBelow));
    }
    var unset = new ArrayList<>(schema.properties());
    unset.removeAll(names);
    if (!unset.isEmpty() && (names.isEmpty() || random.nextBoolean())) {
      var name = one(unset);
      return mapping.with(name, schema.property(name).sample(random));
    }
    if (names.isEmpty() || random.nextInt(4) == 0) {
      return mapping.with("added", text());
    }
    var name = one(names);
    return random.nextInt(3) == 0 ? mapping.with(name, Value.Null.NULL) : mapping.without(name);
  }

  private Value sequence(List<Value> items, Schema schema) {
    var changed = new ArrayList<>(items);
    if (!items.isEmpty() && random.nextInt(3) > 0) {
      var i = random.nextInt(items.size());
      changed.set(i, change(items.get(i), schema.items()));
      return new Value.Sequence(changed);
    }
    switch (items.isEmpty() ? 0 : random.nextInt(5)) {
      case 0 -> changed.add(random.nextInt(items.size() + 1), schema.items().sample(random));
      case 1 -> changed.add(change(one(items), schema.items()));
      case 2 -> Collections.shuffle(changed, random);
      case 3 -> changed.clear();
      default -> changed.remove(random.nextInt(changed.size()));
    }
    return new Value.Sequence(changed);
  }

  private <T> T one(List<T> items) {
    return items.get(random.nextInt(items.size()));
  }
}
