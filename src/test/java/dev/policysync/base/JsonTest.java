package dev.policysync.base;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
  private static final List<String> TEXTS =
      List.of("", " ", "a", "\"", "\\", "\n\t\u0001", "é", "😀", "\ud83d", "</script>", "{}", "-0");
  private static final List<String> NUMBERS =
      List.of(
          "0", "-0", "1", "-8", "18446744073709551615", "1.5", "1e+21", "1.8446744073709552e+30");

  @RepeatedTest(200)
  void readsWhatItWrites(RepetitionInfo repetition) throws IOException {
    var value = mapping(new Random(repetition.getCurrentRepetition()), 4);

    var read = (Value.Mapping) Json.parse(Json.write(value));

    assertThat(read).isEqualTo(value);
    assertThat(List.copyOf(read.fields().keySet()))
        .as("in their order")
        .isEqualTo(List.copyOf(value.fields().keySet()));
    assertThat(CanonicalJson.write(read)).isEqualTo(CanonicalJson.write(value));
  }

  @Test
  void isTheSameInAnyOrder() {
    var one = Value.Mapping.EMPTY.with("a", new Value.Bool(true)).with("b", Value.Null.NULL);
    var other = Value.Mapping.EMPTY.with("b", Value.Null.NULL).with("a", new Value.Bool(true));

    assertThat(one).isEqualTo(other).hasSameHashCodeAs(other);
    assertThat(one).isNotEqualTo(Value.Mapping.EMPTY);
  }

  @Test
  void leavesTheFieldsOfOneNameAsText() throws IOException {
    var body = "{\"items\": [{\"x\": {\"a\": [1, null, {}]}, \"y\": {\"a\": 2}}]}";
    try (var parser = Json.parser(new ByteArrayInputStream(body.getBytes(UTF_8)))) {
      parser.nextToken();

      var value = (Value.Mapping) Json.next(parser, "x");

      var item = (Value.Mapping) value.items("items").getFirst();
      assertThat(item.text("x")).contains("{\"a\":[1,null,{}]}");
      assertThat(item.mapping("y").fields()).containsOnlyKeys("a");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "{", "{\"a\":", "{\"a\":[1,", "{\"x\":", "{\"x\":{\"b\":1", "[1}", "nul"})
  void refusesWhatEndsInTheMiddleOrIsNoJson(String body) {
    assertThatThrownBy(
            () -> {
              try (var parser = Json.parser(new ByteArrayInputStream(body.getBytes(UTF_8)))) {
                parser.nextToken();
                Json.next(parser, "x");
              }
            })
        .isInstanceOf(JsonProcessingException.class);
  }

  private static Value.Mapping mapping(Random random, int depth) {
    var fields = new LinkedHashMap<String, Value>();
    for (int i = random.nextInt(5); i > 0; i--) {
      fields.put(TEXTS.get(random.nextInt(TEXTS.size())), value(random, depth - 1));
    }
    return new Value.Mapping(fields);
  }

  private static Value value(Random random, int depth) {
    return switch (random.nextInt(depth > 0 ? 6 : 4)) {
      case 0 -> new Value.Text(TEXTS.get(random.nextInt(TEXTS.size())));
      case 1 -> new Value.Numeric(NUMBERS.get(random.nextInt(NUMBERS.size())));
      case 2 -> new Value.Bool(random.nextBoolean());
      case 3 -> Value.Null.NULL;
      case 4 -> mapping(random, depth);
      default -> {
        var items = new ArrayList<Value>();
        for (int i = random.nextInt(4); i > 0; i--) {
          items.add(value(random, depth - 1));
        }
        yield new Value.Sequence(items);
      }
    };
  }
}
