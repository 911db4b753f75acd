package dev.policysync.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

class TerminalPictureTest {
  private final TerminalPicture picture = new TerminalPicture();

  @Test
  void drawsWhatWasPrintedInItsColours() throws Exception {
    picture.line("$ a <b> & c");
    picture.output("\u001b[32m+ x\u001b[0m  applied  \u001b[2mnew\u001b[0m\n");

    var drawn = parsed(picture.svg());

    assertThat(text(drawn, 0)).isEqualTo("$ a <b> & c");
    assertThat(text(drawn, 1)).isEqualTo("+ x  applied  new");
    assertThat(picture.svg())
        .contains("<tspan class=\"green\">+ x</tspan>", "<tspan class=\"dim\">new</tspan>");
  }

  @Test
  void shortensALongOutputInTheMiddleAndALongLineAtItsEnd() throws Exception {
    picture.output(
        IntStream.range(0, 20).mapToObj(Integer::toString).collect(Collectors.joining("\n")));
    picture.line("\u001b[31m" + "x".repeat(300));

    var drawn = parsed(picture.svg());

    assertThat(drawn.getElementsByTagName("text").getLength()).isEqualTo(8);
    assertThat(text(drawn, 3)).isEqualTo("  …");
    assertThat(text(drawn, 6)).isEqualTo("19");
    assertThat(text(drawn, 7)).hasSize(110).endsWith("x…");
  }

  /// The one in the docs is a session of the demo, whole.
  @Test
  void drewTheDemoFromItsBeginningToItsEnd() throws Exception {
    var drawn = Files.readString(Path.of("docs", "demo.svg"));

    parsed(drawn);
    assertThat(drawn)
        .contains("── 1. Preview", "── 7. The removals are intended", "exit code 3")
        .doesNotContain("\u001b", "/tmp/", "Exception in");
  }

  private static String text(Document drawn, int line) {
    return drawn.getElementsByTagName("text").item(line).getTextContent();
  }

  private static Document parsed(String svg) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(svg.getBytes(UTF_8)));
  }
}
