package dev.policysync.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

class TerminalPictureTest {
  private final TerminalPicture picture = new TerminalPicture();

  @Test
  void drawsWhatWasPrintedInItsColours() throws Exception {
    picture.command("a <b> & c");
    picture.output(
        "\u001b[32m+ x\u001b[0m  applied  \u001b[2mnew\u001b[0m\n\u001b[1;33m! y\u001b[0m\n",
        matters("x", "y"));

    var drawn = parsed(picture.svg());

    assertThat(text(drawn, 0)).isEqualTo("$ a <b> & c");
    assertThat(text(drawn, 1)).isEqualTo("+ x  applied  new");
    assertThat(picture.svg())
        .contains(
            "<tspan class=\"green\">+ x</tspan>",
            "<tspan class=\"dim\">new</tspan>",
            "<tspan class=\"bold yellow\">! y</tspan>");
  }

  @Test
  void drawsTheLinesThatMatterAndASignOfFurtherChanges() throws Exception {
    picture.output(
        "2 new\n\n  + a\n  + b\n  + c\n  + d\n\nNamespace: default\nDone\n",
        matters("new", "[bc]$", "Done"));
    picture.output("\u001b[31m" + "x".repeat(300), matters("x"));

    var drawn = lines(parsed(picture.svg()));

    assertThat(drawn).startsWith("2 new", "  + b", "  + c", "  …", "Done").hasSize(6);
    assertThat(drawn.getLast()).hasSize(110).endsWith("x…");
  }

  /// Otherwise a screen that has changed would be drawn without what the story is about.
  @Test
  void refusesAnOutputWithoutWhatMatters() {
    assertThatThrownBy(() -> picture.output("one\ntwo\n", matters("one", "three")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("three");
  }

  @Test
  void breaksALongCommandAsItCouldBeTyped() throws Exception {
    var first = "kubectl annotate " + "a".repeat(60);
    var second = "b".repeat(100);

    picture.command(first + " " + second);
    picture.output("      " + first + " " + second, matters("kubectl"));

    assertThat(lines(parsed(picture.svg())))
        .containsExactly(
            "$ " + first + " \\", "    " + second, "      " + first + " \\", "      " + second);
  }

  /// The one in the docs is a session of the demo, from its beginning to its end.
  @Test
  void drewTheStoryOfTheDemo() throws Exception {
    var file = Files.readString(Path.of("docs", "demo.svg"));

    var drawn = lines(parsed(file));

    assertThat(String.join("\n", drawn))
        .contains("1. Preview", "The removals are intended", "(exit code 3)")
        .containsPattern(
            "\\$ kubectl annotate lease .* \\\\\n +policysync.dev/approve-removals=sha256:[0-9a-f]{64}")
        .doesNotContain("\u001b", "/tmp/", "Exception in");
    assertThat(drawn).hasSizeLessThan(60);
  }

  private static List<Pattern> matters(String... expressions) {
    return Stream.of(expressions).map(Pattern::compile).toList();
  }

  private static List<String> lines(Document drawn) {
    return IntStream.range(0, drawn.getElementsByTagName("text").getLength())
        .mapToObj(line -> text(drawn, line))
        .toList();
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
