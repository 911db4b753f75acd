package dev.policysync.base.yaml;

import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.CanonicalJson;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Streams of several documents: where they begin, what is wrong with which, and that nothing
/// hides.
class YamlStreamTest {

  @Test
  void readsEachDocumentWithItsNumberAndPlace() {
    var documents =
        read(
            """
            # first
            a: 1
            ---
            # second
            b: 2
            --- {c: 3}
            """);

    assertThat(documents)
        .extracting(YamlStreamTest::summary)
        .containsExactly("1 at 2:1 {\"a\":1}", "2 at 5:1 {\"b\":2}", "3 at 6:5 {\"c\":3}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " \n\n", "# nothing\n", "\uFEFF", "...\n", "# a\n# b\n\n"})
  void findsNoDocumentWhereThereIsNone(String stream) {
    assertThat(read(stream)).isEmpty();
  }

  @Test
  void documentTooLargeForTheHeapHidesNoOther() {
    var stream = "a: 1\n---\nb: " + "x".repeat(100) + "\n---\nc: 3\n";

    assertThat(read(stream, new DocumentLimit(100, 50)))
        .extracting(YamlStreamTest::summary)
        .containsExactly(
            "1 at 1:1 {\"a\":1}",
            "2 broken at 2:1 a document of 108 bytes exceeds the limit of 50; split it or"
                + " increase the heap (POLICY_SYNC_JAVA_OPTIONS=-Xmx…, chart: javaOptions)",
            "3 at 5:1 {\"c\":3}");
  }

  /// It could not be stored, and a long text takes the square of its length to read.
  @Test
  void documentLargerThanAnyPolicyIsNotReadAndHidesNoOther() {
    var text = "x".repeat(2 * 1024 * 1024);
    var stream = "a: 1\n---\nb: " + text + "\n---\nc: 3\n";

    assertThat(read(stream, new DocumentLimit(100, Long.MAX_VALUE)))
        .extracting(YamlStreamTest::summary)
        .containsExactly(
            "1 at 1:1 {\"a\":1}",
            "2 broken at 2:1 a document of 2.0 MiB is larger than a policy can be: documents over"
                + " 2.0 MiB are not read, and etcd stores at most 1.5 MiB by default; split its"
                + " rules into several policies",
            "3 at 5:1 {\"c\":3}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"kind: List\nitems: [%s]", "{\"kind\":\"ClusterPolicyList\",\"items\":[%s]}"})
  void aListMayBeLargerThanAPolicy(String list) {
    var items = "\"" + "x".repeat(1022) + "\",\n";
    var stream = list.formatted(items.repeat(2100) + "1");

    assertThat(read(stream, new DocumentLimit(10_000, Long.MAX_VALUE)))
        .allMatch(YamlDocument.WellFormed.class::isInstance);
  }

  @Test
  void documentOfTooManyValuesForTheHeapHidesNoOther() {
    var stream = "a: [1, 2]\n---\nb: [1, 2, 3]\n---\nx: &x 1\nb: *x\n";

    assertThat(read(stream, new DocumentLimit(5, 1_000)))
        .extracting(YamlStreamTest::summary)
        .containsExactly(
            "1 at 1:1 {\"a\":[1,2]}",
            "2 broken at 3:11 a document of more than 5 values, too large for the heap; split it"
                + " or increase the heap (POLICY_SYNC_JAVA_OPTIONS=-Xmx…, chart: javaOptions)",
            "3 at 5:1 {\"b\":1,\"x\":1}");
  }

  @Test
  void takesTheCharacterThatStandsForNoneAsAnyOther() {
    assertThat(read("a: \uFFFD\n"))
        .extracting(YamlStreamTest::summary)
        .containsExactly("1 at 1:1 {\"a\":\"\uFFFD\"}");
  }

  @Test
  void countsEmptyDocumentsToo() {
    assertThat(read("---\n---\n# no more\n---\na: 1\n"))
        .extracting(YamlStreamTest::summary)
        .containsExactly("1 at 2:1 null", "2 at 4:1 null", "3 at 5:1 {\"a\":1}");
  }

  @Test
  void brokenDocumentHidesNoOther() {
    var documents =
        read(
            """
            a: 1
            ---
            b: [1, 2
            ---
            c: "never closed
            ---
            d: 4
            e:
            \tf: 5
            ---
            g: 7
            """);

    assertThat(documents)
        .extracting(YamlStreamTest::summary)
        .containsExactly(
            "1 at 1:1 {\"a\":1}",
            "2 broken at 3:4 an unclosed bracket or brace, or a missing comma",
            "3 broken at 5:4 an unclosed quoted text",
            "4 broken at 9:1 a tab where only spaces are allowed",
            "5 at 11:1 {\"g\":7}");
  }

  @Test
  void lineOfDashesThatGoesOnBeginsNoDocument() {
    var documents =
        read(
            """
            key: |
              -----BEGIN PUBLIC KEY-----
              ---
              -----END PUBLIC KEY-----
            text: ----
            """);

    assertThat(documents)
        .extracting(YamlStreamTest::summary)
        .containsExactly(
            "1 at 1:1 {\"key\":\"-----BEGIN PUBLIC KEY-----\\n---\\n-----END PUBLIC KEY-----\\n\","
                + "\"text\":\"----\"}");
  }

  @Test
  void keyBlockAtTheMarginIsOneBrokenDocument() {
    var documents = read("key: |\n-----BEGIN PUBLIC KEY-----\nabc\n---\na: 1\n");

    assertThat(documents)
        .extracting(YamlStreamTest::summary)
        .containsExactly(
            "1 broken at 2:1 a line without ': ' in a mapping; check quotes and indentation",
            "2 at 5:1 {\"a\":1}");
  }

  @Test
  void whatStandsAfterADocumentMakesItUnreadable() {
    var documents = read("  kind: X\n  name: y\nspec: lost\n---\n{\"a\": 1}\n{\"b\": 2}\n");

    assertThat(documents)
        .extracting(YamlStreamTest::summary)
        .containsExactly(
            "1 broken at 3:1 text after the end of the document; start the next one with ---",
            "2 broken at 6:1 text after the end of the document; start the next one with ---");
  }

  @Test
  void endMarkerEndsADocument() {
    assertThat(read("a: 1\n...\nb: 2\n...\n---\nc: 3\n"))
        .extracting(YamlStreamTest::summary)
        .containsExactly("1 at 1:1 {\"a\":1}", "2 at 3:1 {\"b\":2}", "3 at 6:1 {\"c\":3}");
  }

  @Test
  void directivesBelongToTheDocumentAfterThem() {
    var documents =
        read(
            """
            %YAML 1.1
            ---
            a: 1
            ...
            # comment
            %TAG !k! tag:yaml.org,2002:
            ---
            b: !k!str 2
            ...
            %YAML 1.2
            ---
            c: 3
            ...
            %FOO
            ---
            d: 4
            """);

    assertThat(documents)
        .extracting(YamlStreamTest::summary)
        .containsExactly(
            "1 at 3:1 {\"a\":1}",
            "2 at 8:1 {\"b\":\"2\"}",
            "3 broken at 10:1 unsupported directive (%); only %YAML 1.1 and %TAG are allowed",
            "4 broken at 14:1 unsupported directive (%); only %YAML 1.1 and %TAG are allowed");
  }

  @Test
  void readsEveryKindOfLineEnd() {
    assertThat(read("a: 1\r\nb: |\r\n  x\r\n  y\r\n---\r\nc: 3\r\n"))
        .extracting(YamlStreamTest::summary)
        .containsExactly("1 at 1:1 {\"a\":1,\"b\":\"x\\ny\\n\"}", "2 at 6:1 {\"c\":3}");
    assertThat(read("a: 1\r---\rb: 2\r"))
        .extracting(YamlStreamTest::summary)
        .containsExactly("1 at 1:1 {\"a\":1}", "2 at 3:1 {\"b\":2}");
  }

  @Test
  void readsUtf16WhereItsFirstBytesSaySo() {
    assertThat(read("\uFEFFa: é\n---\nb: 2", UTF_16LE))
        .extracting(YamlStreamTest::summary)
        .containsExactly("1 at 1:1 {\"a\":\"é\"}", "2 at 3:1 {\"b\":2}");
    assertThat(read("\uFEFFa: é\n", UTF_16BE))
        .extracting(YamlStreamTest::summary)
        .containsExactly("1 at 1:1 {\"a\":\"é\"}");
    assertThat(YamlDocuments.read(new byte[] {(byte) 0xFF, (byte) 0xFE, 'a'}))
        .extracting(YamlStreamTest::summary)
        .containsExactly("1 broken at 1:1 not valid UTF-16, although the byte order mark says so");
  }

  @Test
  void bytesThatAreNoTextSpoilTheirDocumentOnly() {
    var stream = "a: 1\n---\nb: 2\nc: é?\n---\nd: 4\n".getBytes(UTF_8);
    stream[19] = (byte) 0xFF;

    var documents = YamlDocuments.read(stream);

    assertThat(documents)
        .extracting(YamlStreamTest::summary)
        .containsExactly(
            "1 at 1:1 {\"a\":1}", "2 broken at 4:5 invalid UTF-8", "3 at 6:1 {\"d\":4}");
  }

  @Test
  void controlCharacterSpoilsItsDocumentOnly() {
    assertThat(read("a: 1\n---\nb: 😀\u0000\n---\nd: 4\n"))
        .extracting(YamlStreamTest::summary)
        .containsExactly(
            "1 at 1:1 {\"a\":1}",
            "2 broken at 3:5 a control character, which YAML does not allow",
            "3 at 5:1 {\"d\":4}");
  }

  @Test
  void keepsWhatStandsBeforeAProblem() {
    var documents = read("kind: X\nmetadata: {name: z}\nspec:\n  a: [1\n");

    assertThat(documents)
        .singleElement()
        .isInstanceOfSatisfying(
            YamlDocument.Broken.class,
            broken ->
                assertThat(CanonicalJson.write(broken.readSoFar()))
                    .isEqualTo("{\"kind\":\"X\",\"metadata\":{\"name\":\"z\"}}"));
  }

  @Test
  void tellsBothPlacesOfAKeyThatIsThereTwice() {
    assertThat(read("a:\n  k: 1\n  l: 2\n  \"k\": 3\n"))
        .singleElement()
        .isInstanceOfSatisfying(
            YamlDocument.Broken.class,
            broken ->
                assertThat(broken.places())
                    .containsExactly(new Location(2, 3), new Location(4, 3)));
  }

  private static List<YamlDocument> read(String stream) {
    return YamlDocuments.read(stream);
  }

  private static List<YamlDocument> read(String stream, DocumentLimit limit) {
    var documents = new ArrayList<YamlDocument>();
    YamlStream.read(stream.getBytes(UTF_8), limit, documents::add);
    return documents;
  }

  private static List<YamlDocument> read(String stream, Charset charset) {
    return YamlDocuments.read(stream.getBytes(charset));
  }

  private static String summary(YamlDocument document) {
    return switch (document) {
      case YamlDocument.WellFormed(var number, var value, var start, _, _) ->
          number + " at " + place(start) + " " + CanonicalJson.write(value);
      case YamlDocument.Broken(var number, var places, var reason, _) ->
          number + " broken at " + place(places.getFirst()) + " " + reason;
    };
  }

  private static String place(Location location) {
    return location.line() + ":" + location.column();
  }
}
