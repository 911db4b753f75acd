package dev.policysync.base.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.CanonicalJson;
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
          a: b: c § 1:5 § unexpected ': '; quote text that contains it, or check the indentation
          a: @b § 1:4 § text starts with a reserved character (e.g. @ or %); quote it
          a: `b` § 1:4 § text starts with a reserved character (e.g. @ or %); quote it
          a: 1\\nb\\nc: 2 § 2:1 § a line without ': ' in a mapping; check quotes and indentation
          a:\\n  b: 1\\n c: 2 § 3:2 § inconsistent indentation
          a: - b § 1:4 § unexpected '- '; check the indentation
          a: "b § 1:4 § an unclosed quoted text
          a: {b: 1 § 1:4 § an unclosed bracket or brace, or a missing comma
          a: ] § 1:4 § a value is missing; quote text that starts with a bracket or comma
          {a: 1} b § 1:8 § text after the end of the document; start the next one with ---
          a: "\\\\d" § 1:6 § an unknown escape in quoted text; double the backslash or use single quotes
          a: "\\\\UFFFFFFFF" § 1:1 § an escape (\\x, \\u or \\U) in quoted text is not a valid character
          a: "\\\\ud83d" § 1:4 § an escape (\\u) in quoted text is an unpaired surrogate; write both halves
          a: !k!x b § 1:4 § a tag (!) with an undefined prefix; declare it with %TAG
          a: *.b § 1:5 § an anchor or alias without a name; quote text that starts with & or *
          a: &a%b c § 1:4 § the name of an anchor (&) contains characters other than letters, digits, - and _
          a: |x\\n  b § 1:5 § only an indentation, + or - may follow | or > on the same line
          a: |\\n  \\tb § 1:4 § the first line of a block scalar starts with a tab; use spaces
          a: {{ b }} § 1:5 § a mapping or list where a key is expected; quote text that starts with a brace
          ~: 1 § 1:1 § null or an out-of-range number as a key; quote it
          a: .inf § 1:4 § infinity or NaN, which JSON does not support; quote it if it is text
          a: !!int b § 1:4 § a value does not match its tag (e.g. !!int, !!bool, !!binary)
          a: [b:] § 1:5 § a colon directly before a bracket or comma; add a space after it or quote the text
          a: 1\\na: 2 § 1:1 § duplicate key in a mapping; remove one
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
    assertThat(documents.getFirst()).isInstanceOf(YamlDocument.WellFormed.class);
    return CanonicalJson.write(((YamlDocument.WellFormed) documents.getFirst()).value());
  }

  private static YamlDocument.Broken broken(String yaml) {
    var documents = YamlDocuments.read(yaml);
    assertThat(documents).hasSize(1).hasOnlyElementsOfType(YamlDocument.Broken.class);
    return (YamlDocument.Broken) documents.getFirst();
  }
}
