package dev.policysync.base.yaml;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.policysync.base.CanonicalJson;
import dev.policysync.base.Value;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// Each file in `yaml/cases` means what sigs.k8s.io/yaml makes of it, recorded in `yaml/golden`.
class YamlGoldenTest {
  private static final Path CASES = Path.of("src/test/resources/yaml/cases");
  private static final Path GOLDEN = Path.of("src/test/resources/yaml/golden");

  /// What Go's strict reader refuses and we read, with what we make of it.
  private static final Map<String, String> READ =
      Map.ofEntries(
          // Overriding merged keys is what merge keys are for, and here all readers agree, kubectl
          // among them: it reads with the other, lenient reader.
          entry("merge-is-not-deep", lenient("merge-is-not-deep")),
          entry("merge-list", lenient("merge-list")),
          entry("merge-list-in-other-order", lenient("merge-list-in-other-order")),
          entry("merge-list-inline", lenient("merge-list-inline")),
          entry("merge-nested", lenient("merge-nested")),
          entry("merge-own-key-after", lenient("merge-own-key-after")),
          entry("merge-own-key-after-and-list", lenient("merge-own-key-after-and-list")),
          entry("policy-anchors", lenient("policy-anchors")),
          // The same with 1 and "1", which Go tells apart and then lets chance decide.
          entry(
              "merge-with-keys-of-other-types",
              """
              {"x": {"1": "one", "true": "two"}, "a": {"1": "own", "true": "own"}}
              """),
          // Both halves of a character, as JSON writes it and kubectl's JSON reader takes it.
          entry("quoted-escape-surrogates", "{\"a\": \"\ud83d\ude00\"}"),
          // An end without a document is as empty as a comment.
          entry("document-end-only", "null"));

  /// What Go's strict reader takes and we refuse.
  private static final Set<String> REFUSED =
      Set.of(
          // Go never looks at the rest of the text: half a policy would be applied.
          "flow-trailing-text-document",
          "key-without-space-after-quoted",
          "structure-indented-root-uneven",
          // Go replaces what is not UTF-8, so the bytes are lost.
          "tag-binary-not-utf8",
          // Not YAML, and SnakeYAML refuses them: |# without a space, and two escapes.
          "block-comment-after-indicator-without-space",
          "quoted-escape-single-quote",
          "quoted-escape-tab-character");

  @TestFactory
  Stream<DynamicTest> meansWhatItMeansToKubectl() throws IOException {
    try (var files = Files.list(CASES)) {
      return files
          .map(file -> file.getFileName().toString().replace(".yaml", ""))
          .sorted()
          .toList()
          .stream()
          .map(name -> dynamicTest(name, () -> check(name)));
    }
  }

  @Test
  void differsOnlyWhereItSaysSo() {
    assertThat(READ.keySet()).allMatch(name -> strict(name).equals("error"));
    assertThat(REFUSED).allMatch(name -> strict(name).equals("ok"));
  }

  private static void check(String name) throws IOException {
    var documents = YamlDocuments.read(Files.readAllBytes(CASES.resolve(name + ".yaml")));

    if (REFUSED.contains(name) || (strict(name).equals("error") && !READ.containsKey(name))) {
      assertThat(documents).hasAtLeastOneElementOfType(YamlDocument.Broken.class);
    } else {
      var expected = READ.containsKey(name) ? READ.get(name) : lenient(name);
      assertThat(CanonicalJson.write(first(documents)))
          .isEqualTo(CanonicalJson.write(JsonText.read(expected)));
    }
  }

  /// The value of the first document, all that Go's reader looks at; null for an empty stream.
  private static Value first(List<YamlDocument> documents) {
    if (documents.isEmpty()) {
      return Value.Null.NULL;
    }
    assertThat(documents.getFirst()).isInstanceOf(YamlDocument.WellFormed.class);
    return ((YamlDocument.WellFormed) documents.getFirst()).value();
  }

  private static String lenient(String name) {
    return golden(name + ".json");
  }

  private static String strict(String name) {
    return golden(name + ".strict").strip();
  }

  private static String golden(String file) {
    try {
      return Files.readString(GOLDEN.resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException("no golden file " + file, e);
    }
  }
}
