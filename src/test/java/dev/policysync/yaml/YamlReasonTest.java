package dev.policysync.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.json.CanonicalJson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What is said about a text that is not YAML, where, and that it never quotes the text.
class YamlReasonTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '§',
      quoteCharacter = '^',
      textBlock =
          """
          a: b: c § 1:5 § ': ' where no key can be; quote text that contains it, or check the indentation
          a: @b § 1:4 § text begins with a character that YAML reserves (such as @ or %); quote it
          a: `b` § 1:4 § text begins with a character that YAML reserves (such as @ or %); quote it
          a: 1\\nb\\nc: 2 § 2:1 § a line without ': ' among the fields of a mapping; check quotes and indentation
          a:\\n  b: 1\\n c: 2 § 3:2 § a line that is indented unlike its neighbours
          a: - b § 1:4 § '- ' where no list can be; check the indentation
          a: "b § 1:4 § a quoted text that is not closed
          a: {b: 1 § 1:4 § a bracket or brace that is not closed, or a comma missing
          a: ] § 1:4 § nothing where a value is expected; quote text that begins with a bracket or comma
          {a: 1} b § 1:8 § text after the end of the document; begin the next one with ---
          a: "\\\\d" § 1:6 § an unknown escape in quoted text; write the backslash twice, or use single quotes
          a: "\\\\UFFFFFFFF" § 1:1 § an escape (\\x, \\u or \\U) in quoted text names no character
          a: "\\\\ud83d" § 1:4 § an escape (\\u) in quoted text names half a character; write both halves
          a: !k!x b § 1:4 § a tag (!) with a prefix that no %TAG line explains
          a: *.b § 1:5 § an anchor or alias without a plain name; quote text that begins with & or *
          a: &a%b c § 1:4 § an anchor (&) with more than letters, digits, - and _ in its name
          a: |x\\n  b § 1:5 § only an indentation, + or - may follow | or > on its line
          a: |\\n  \\tb § 1:4 § a tab begins the first line of a block text; use spaces
          a: {{ b }} § 1:5 § a mapping or a list where a key is expected; quote text that begins with a brace
          ~: 1 § 1:1 § null, or too large a number, as a key; quote it
          a: .inf § 1:4 § infinity or 'not a number', which JSON cannot say; quote it if it is text
          a: !!int b § 1:4 § a value that does not fit its tag (such as !!int, !!bool, !!binary)
          a: [b:] § 1:5 § a colon right before a bracket or comma; put a space after it, or quote the text
          a: 1\\na: 2 § 1:1 § a key is there twice in one mapping; remove one
          """)
  void saysWhatIsWrongAndWhere(String yaml, String place, String reason) {
    var broken = broken(yaml.translateEscapes());

    assertThat(broken.reason()).isEqualTo(reason);
    assertThat(broken.places().getFirst().line() + ":" + broken.places().getFirst().column())
        .isEqualTo(place);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a: SECRET: SECRET",
        "a: @SECRET",
        "SECRET: 1\nSECRET: 2",
        "a: *SECRET",
        "a: &SECRET.SECRET b",
        "a: !SECRET!SECRET b",
        "a: !!int SECRET",
        "%SECRET\n---\na: 1",
        "%YAML SECRET\n---\na: 1",
        "%TAG SECRET\n---\na: 1",
        "a: \"\\SECRET\"",
        "a: \"\\xSECRET\"",
        "a: \"SECRET",
        "a: |SECRET",
        "a: {SECRET",
        "a: 1\nSECRET\nb: 2",
        "SECRET\u0000",
        "{a: 1} SECRET",
        "a: !<SECRET b"
      })
  void neverQuotesTheText(String yaml) {
    assertThat(broken(yaml).reason()).doesNotContain("SECRET");
  }

  @Test
  void passesOverTabsBetweenTwoTokensOfALine() {
    assertThat(value("a:\t1\nb: \"x\"\t# c\n---\t\nc: 1\n")).isEqualTo("{\"a\":1,\"b\":\"x\"}");
    assertThat(value("{\n\t \"a\":\t 1,\n \t\"b\": [\t ]\n\t}\n")).isEqualTo("{\"a\":1,\"b\":[]}");
  }

  private static String value(String yaml) {
    var documents = YamlDocuments.read(yaml);
    assertThat(documents.getFirst()).isInstanceOf(YamlDocument.Sound.class);
    return CanonicalJson.write(((YamlDocument.Sound) documents.getFirst()).value());
  }

  private static YamlDocument.Broken broken(String yaml) {
    var documents = YamlDocuments.read(yaml);
    assertThat(documents).hasSize(1).hasOnlyElementsOfType(YamlDocument.Broken.class);
    return (YamlDocument.Broken) documents.getFirst();
  }
}
