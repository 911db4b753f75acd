package dev.policysync.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

class TerminalTextTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final Output output = new Output(new PrintStream(bytes, false, UTF_8));

  @Test
  void onlyAStyleColours() {
    var text =
        new TerminalText()
            .append("\u001b[31ma\u001b[0m ")
            .append(TextStyle.COLOURED.red("b\u001b[0mc"))
            .append(TextStyle.COLOURED.green("d").toString())
            .append(TextStyle.PLAIN.red("e\u001b[1m"))
            .line();

    assertThat(text)
        .hasToString(
            "\\u001b[31ma\\u001b[0m"
                + " \u001b[31mb\\u001b[0mc\u001b[0m\\u001b[32md\\u001b[0me\\u001b[1m\n");
  }

  @Test
  void onlyItsOwnMethodEndsALine() {
    assertThat(new TerminalText().append("a\nb").line().line("c\rd")).hasToString("a\\nb\nc\\rd\n");
  }

  @Test
  void anOutputEscapesWhateverIsPrinted() throws IOException {
    output.println("a\nb\u001b[2J");
    output.document("{\"a\":\"\u202e\"}\n");
    var writer = output.documentWriter();
    writer.write("\u009bx\n");
    writer.flush();
    output.rewrite("c\nd");

    assertThat(bytes.toString(UTF_8))
        .isEqualTo("a\\nb\\u001b[2J\n{\"a\":\"\\u202e\"}\n\\u009bx\n\r\u001b[Kc\\nd");
  }
}
