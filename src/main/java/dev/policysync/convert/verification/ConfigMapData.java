package dev.policysync.convert.verification;

import dev.policysync.base.Json;
import dev.policysync.base.Value;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

/// Makes the data of a ConfigMap: strings of the resources, patterns for them, lists of them as
/// JSON, and other JSON.
final class ConfigMapData {
  private static final List<String> ODD =
      List.of("", "*", "[]", "null", "true", "12", "{\"a\": 1}", "[\"a\", 1]", "\"zz\"", "zz");

  private final List<String> texts;
  private final Random random;

  ConfigMapData(List<Value.Mapping> resources, Random random) {
    var found = new LinkedHashSet<String>();
    resources.forEach(resource -> texts(resource, found));
    this.texts = found.isEmpty() ? List.of("x") : List.copyOf(found);
    this.random = random;
  }

  /// Returns data with most of these keys.
  Value.Mapping of(Set<String> keys) {
    var data = Value.Mapping.EMPTY;
    for (var key : keys) {
      if (random.nextInt(6) > 0) {
        data = data.with(key, value());
      }
    }
    return data.with("other", "x");
  }

  private String value() {
    return switch (random.nextInt(6)) {
      case 0 -> text();
      case 1 -> ODD.get(random.nextInt(ODD.size()));
      case 2 -> text().replaceFirst(".$", "*");
      default -> {
        var items = new ArrayList<Value>();
        IntStream.range(0, 1 + random.nextInt(4))
            .forEach(_ ->
                items.add(
                    new Value.Text(
                        random.nextInt(4) > 0 ? text() : text().replaceFirst(".$", "*"))));
        yield Json.write(new Value.Sequence(items)) + (random.nextBoolean() ? "\n" : "");
      }
    };
  }

  private String text() {
    return texts.get(random.nextInt(texts.size()));
  }

  static void texts(Value value, Set<String> texts) {
    switch (value) {
      case Value.Text(var text) -> texts.add(text);
      case Value.Mapping(var fields) -> fields.values().forEach(field -> texts(field, texts));
      case Value.Sequence(var items) -> items.forEach(item -> texts(item, texts));
      default -> {}
    }
  }
}
