package dev.policysync.base.yaml;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import java.util.ArrayList;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Characters of a text are found where they were written, however that was.
class SourceTextTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "a: some plain text#@",
        "a: over\n  two lines#@",
        "# first\n---\na: 'it''s \"here\" #@'",
        "a: 'one\n\n  two #@'",
        "a: \"she said \\\"no\\\" \\\\ #@\"",
        "a: \"one\\n two#@\"",
        "a: \"one\\\n  two#@\"",
        "a: |\n  one\n\n    two #@\n  three\n",
        "a: |+2\n   one\n    #@\n",
        "a: >-\n  one\n  two\n\n  three #@\n",
        "a: > # a comment\n  one#@",
        "a: {b: [x😀#@]}",
        "a:   \n   - |\n     one\r\n     #@"
      })
  void findsTheCharacterThatIsMeant(String stream) {
    var at = stream.indexOf('@');
    var before = stream.substring(0, at);
    var line = (int) before.chars().filter(c -> c == '\n').count() + 1;
    var column =
        before
                .substring(before.lastIndexOf('\n') + 1)
                .codePointCount(0, at - before.lastIndexOf('\n') - 1)
            + 1;

    var found = place(stream, "@");

    assertThat(found).contains(new Location(line, column));
  }

  @Test
  void whatIsMissingAtTheEndIsRightBehindIt() {
    assertThat(place("a: |\n  one (\n\n", "")).contains(new Location(2, 8));
    assertThat(place("a: 'one ('", "")).contains(new Location(1, 10));
    assertThat(place("a: ''", "")).contains(new Location(1, 5));
  }

  @Test
  void saysNothingWhereAnEscapeHidesIt() {
    assertThat(place("a: \"\\x41 @\"", "@")).isEmpty();
  }

  /// Where the first text of the last document has that; without it, where the text ends.
  private static Optional<Location> place(String stream, String what) {
    var documents = new ArrayList<YamlDocument.WellFormed>();
    YamlStream.readWithLocations(
        stream.getBytes(UTF_8),
        YamlDocuments.NO_LIMIT,
        document -> documents.add((YamlDocument.WellFormed) document));
    var document = documents.getLast();
    var text = text(document.value());
    var index = what.isEmpty() ? text.text().length() : text.text().indexOf(what);
    return document.nodeLocations().ofCharacter(text, index);
  }

  private static Value.Text text(Value value) {
    return switch (value) {
      case Value.Text text -> text;
      case Value.Mapping mapping -> text(mapping.fields().values().iterator().next());
      case Value.Sequence(var items) -> text(items.getFirst());
      default -> throw new AssertionError("no text: " + value);
    };
  }
}
