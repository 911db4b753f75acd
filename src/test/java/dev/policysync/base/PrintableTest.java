package dev.policysync.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrintableTest {
  @Test
  void escapesWhatActsOnATerminal() {
    assertThat(Printable.line("\u001b[2J\u001b[31mred\u0007\u007f\u009b1m"))
        .isEqualTo("\\u001b[2J\\u001b[31mred\\u0007\\u007f\\u009b1m");
  }

  @Test
  void escapesWhatTurnsTheDirectionOfWritingOrIsInvisible() {
    assertThat(Printable.line("a\u202eb\u2066c\u200bd\ufeffe\udb40\udc41f"))
        .isEqualTo("a\\u202eb\\u2066c\\u200bd\\ufeffe\\udb40\\udc41f");
  }

  @Test
  void escapesLineBreaksAndTabsInALine() {
    assertThat(Printable.line("a\nb\r\nc\td\u0085e\u2028f"))
        .isEqualTo("a\\nb\\r\\nc\\td\\u0085e\\u2028f");
  }

  @Test
  void keepsLineBreaksAndTabsInSeveralLines() {
    assertThat(Printable.lines("a\nb\r\nc\td\re\r")).isEqualTo("a\nb\r\nc\td\\re\\r");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "Prüfung ≥ 3 → „gut“", "😀 한국어 #[1] ## [0]", "::1", "a::b::c", "a\\nb"})
  void keepsWhatIsShown(String text) {
    assertThat(Printable.line(text)).isEqualTo(text);
    assertThat(Printable.lines(text)).isEqualTo(text);
  }

  @Test
  void escapesHalvesOfSurrogatePairs() {
    assertThat(Printable.line("a\ud83db\ude00\ud83d")).isEqualTo("a\\ud83db\\ude00\\ud83d");
  }

  @Test
  void startsNoCommandOfACiServer() {
    assertThat(Printable.line("::error file=a::gone")).isEqualTo("\\u003a:error file=a::gone");
    assertThat(Printable.line("  ::stop-commands::x")).isEqualTo("  \\u003a:stop-commands::x");
    assertThat(Printable.line("x ##[group]y")).isEqualTo("x ##\\u005bgroup]y");
    assertThat(Printable.line("###vso[task.setvariable]y"))
        .isEqualTo("###vso\\u005btask.setvariable]y");
    assertThat(Printable.line("##teamcity[buildStop]")).isEqualTo("##teamcity\\u005bbuildStop]");
  }

  @Test
  void keepsTheValueOfJson() throws IOException {
    var value = new Value.Text("\u202ea\u009b##[error]\udb40\udc41\ud83d\ude00\n\u001b");

    var json = Printable.lines(Json.write(value));

    assertThat(json)
        .isEqualTo("\"\\u202ea\\u009b##\\u005berror]\\udb40\\udc41\ud83d\ude00\\n\\u001B\"");
    assertThat(Json.parse(json)).isEqualTo(value);
  }

  @Test
  void escapesAlikeWhereverATextIsCutIntoPieces() throws IOException {
    var text = "a\udb40\udc41b##vso[c\r\nd\re\ud83d\ude00\ud83d";

    for (var cut = 0; cut <= text.length(); cut++) {
      var written = new StringWriter();
      try (var pieces = Printable.lines(written)) {
        pieces.write(text.substring(0, cut));
        pieces.flush();
        pieces.write(text.substring(cut).toCharArray());
      }

      assertThat(written).as("cut at %d", cut).hasToString(Printable.lines(text));
    }
  }
}
