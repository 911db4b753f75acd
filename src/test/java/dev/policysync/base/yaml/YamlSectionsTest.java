package dev.policysync.base.yaml;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.DeflatedBytes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A stream that comes bit by bit has the documents of one that is there as a whole.
class YamlSectionsTest {
  private static final Path CASES = Path.of("src/test/resources/yaml/cases");
  private static final List<String> STREAMS =
      List.of(
          "",
          "-",
          "--",
          "---",
          "---\r",
          "a: 1\r---\rb: 2\r\n---\r\nc: 3",
          "a: 1\n--- {b: 2}\n---c\n...\n# d\n---\n",
          "%YAML 1.1\n---\na: 1\n...\n%TAG ! x\n---\nb: 2\n",
          "# nothing\n \n\t\n",
          "a: é\n---\nb: \u2028\n#\u0085x\n");

  @Test
  void areTheSameOfAStreamThatComesBitByBit() throws IOException {
    for (var stream : STREAMS) {
      assertSame(stream.getBytes(UTF_8));
    }
    try (var files = Files.list(CASES)) {
      for (var file : files.toList()) {
        assertSame(Files.readAllBytes(file));
      }
    }
  }

  /// Some 300 KB, with documents that are longer than what is read at a time.
  @Test
  void areTheSameOfALongStream() throws IOException {
    var stream = new StringBuilder();
    for (int i = 0; i < 200; i++) {
      stream.append("# ").append(i).append("\n---\na: ").append("x".repeat(i * i % 40_000));
      stream.append(i % 3 == 0 ? "\r\n" : "\n");
    }
    assertSame(stream.toString().getBytes(UTF_8));
  }

  /// Otherwise a feed would be there as a whole beside all that is made of it.
  @Test
  void areHandedOverBeforeMuchMoreIsRead() {
    var stream = ("a: " + "x".repeat(1_000) + "\n---\n").repeat(1_000).getBytes(UTF_8);
    var rest = new ByteArrayInputStream(stream);
    var held = new ArrayList<Integer>();

    YamlSections.of(
        rest,
        section ->
            held.add(
                Math.max(
                    section.bytes().length, stream.length - rest.available() - section.place())));

    assertThat(held).hasSize(1_001).allMatch(bytes -> bytes < 64 * 1024);
  }

  @Test
  void haveTheTextsOfADeflatedStream() throws IOException {
    var plain = "a: 1\n---\nb: 2\n".repeat(5_000).getBytes(UTF_8);
    var deflated = new DeflatedBytes();
    deflated.write(plain);
    deflated.close();
    var bytes = new YamlBytes.Deflated(deflated);

    var documents = new ArrayList<YamlDocument>();
    YamlStream.read(bytes, YamlDocuments.NO_LIMIT, documents::add);

    assertThat(summaries(documents)).isEqualTo(summaries(YamlDocuments.read(plain))).hasSize(5_001);
    assertThat(((YamlDocument.Sound) documents.get(4_000)).excerpt().orElseThrow().of(bytes))
        .isEqualTo("b: 2\na: 1\n");
  }

  @Test
  void readADeflatedStreamWithAMarkOfItsEncoding() throws IOException {
    for (var charset : List.of(UTF_8, UTF_16LE)) {
      var plain = "\uFEFFa: é\n---\nb: 2\n".getBytes(charset);
      var deflated = new DeflatedBytes();
      deflated.write(plain);
      deflated.close();

      var documents = new ArrayList<YamlDocument>();
      YamlStream.read(new YamlBytes.Deflated(deflated), YamlDocuments.NO_LIMIT, documents::add);

      assertThat(summaries(documents)).isEqualTo(summaries(YamlDocuments.read(plain))).hasSize(2);
    }
  }

  private static List<String> summaries(List<YamlDocument> documents) {
    return documents.stream()
        .map(YamlDocument.Sound.class::cast)
        .map(it -> it.number() + " " + it.start() + " " + it.value() + " " + it.excerpt())
        .toList();
  }

  private static void assertSame(byte[] stream) {
    var whole = new ArrayList<String>();
    YamlSections.of(stream, section -> whole.add(text(section)));
    var bits = new ArrayList<String>();
    YamlSections.of(aBitAtATime(stream), section -> bits.add(text(section)));

    assertThat(bits).isEqualTo(whole);
  }

  private static String text(YamlSections.Section section) {
    var text = new String(section.bytes(), section.from(), section.length(), ISO_8859_1);
    return section.place() + " line " + section.firstLine() + ": " + text;
  }

  private static InputStream aBitAtATime(byte[] stream) {
    return new ByteArrayInputStream(stream) {
      @Override
      public int read(byte[] into, int offset, int most) {
        return super.read(into, offset, Math.min(most, stream.length < 1_000 ? 1 : 7));
      }
    };
  }
}
