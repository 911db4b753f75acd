package dev.policysync.base.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.CanonicalJson;
import dev.policysync.base.RandomValues;
import dev.policysync.base.Value;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// YAML for people, which means the same to whoever reads it.
class YamlTextTest {

  @Test
  void writesBlocksInTheOrderOfTheFields() {
    var rule = new LinkedHashMap<String, Value>();
    rule.put("name", new Value.Text("team"));
    rule.put("message", new Value.Text("line one\nline two\n"));
    rule.put("count", new Value.Numeric("3"));
    rule.put("kinds", new Value.Sequence(List.of(new Value.Text("Pod"), new Value.Text("*"))));
    rule.put("empty", Value.Mapping.EMPTY);
    rule.put("none", new Value.Sequence(List.of()));
    rule.put("nothing", Value.Null.NULL);
    rule.put("on", new Value.Bool(true));
    var value =
        new Value.Mapping(Map.of("rules", new Value.Sequence(List.of(new Value.Mapping(rule)))));

    var yaml = YamlText.write(value);

    assertThat(yaml)
        .isEqualTo(
            """
            rules:
            - name: team
              message: |
                line one
                line two
              count: 3
              kinds:
              - Pod
              - "*"
              empty: {}
              none: []
              nothing: null
              "on": true
            """);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "y",
        "n",
        "Yes",
        "off",
        "true",
        "null",
        "~",
        "",
        "0o644",
        "0644",
        "0x1F",
        "0b11",
        "1_000",
        "+5",
        "1e3",
        ".5",
        "5.",
        ".inf",
        "-.INF",
        ".nan",
        "12:30:45",
        "1:30",
        "2024-01-01",
        "2024-01-01T10:00:00Z",
        "=",
        "<<",
        "08"
      })
  void quotesTextThatOthersTakeForSomethingElse(String text) {
    var field = new Value.Mapping(Map.of("field", new Value.Text(text)));

    assertThat(YamlText.write(field)).isEqualTo("field: \"" + text + "\"\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "team",
        "a b",
        "v1.2.3",
        "nginx:1.27",
        "1.2.3",
        "5m",
        "10.0.0.0/8",
        "tRUE",
        "a-b_c/d"
      })
  void leavesPlainTextPlain(String text) {
    assertThat(YamlText.write(new Value.Text(text))).isEqualTo(text + "\n");
  }

  @Test
  void breaksNoLineInTwo() {
    var words = "word ".repeat(100) + "end";

    assertThat(YamlText.write(new Value.Text(words))).isEqualTo(words + "\n");
  }

  @Test
  void escapesWhatActsOnATerminalAndIsReadAsTheSame() {
    var value =
        new Value.Mapping(
            Map.of(
                "\u202eevil\u001b[2J",
                new Value.Text("one\n::error::two\n\u009b1m##[error]\udb40\udc41\ud83d\ude00")));

    var yaml = YamlText.write(value);

    assertThat(yaml)
        .isEqualTo(
            """
            "\\u202eevil\\e[2J": "one\\n::error::two\\n\\x9b1m##\\x5berror]\\U000e0041\ud83d\ude00"
            """);
    assertThat(read(yaml)).isEqualTo(CanonicalJson.write(value));
  }

  @Test
  void whatIsWrittenIsReadAsTheSame() {
    var values = new RandomValues(new Random(20_261));

    for (int i = 0; i < 3_000; i++) {
      var value = values.next(4);
      var yaml = YamlText.write(value);
      assertThat(read(yaml)).as(yaml).isEqualTo(CanonicalJson.write(value));
    }
  }

  private static String read(String yaml) {
    var documents = YamlDocuments.read(yaml);
    assertThat(documents).as(yaml).hasSize(1).hasOnlyElementsOfType(YamlDocument.WellFormed.class);
    return CanonicalJson.write(((YamlDocument.WellFormed) documents.getFirst()).value());
  }
}
