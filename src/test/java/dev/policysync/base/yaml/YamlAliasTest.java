package dev.policysync.base.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.CanonicalJson;
import org.junit.jupiter.api.Test;

/// Anchors, aliases and merge keys, and how much they may make of a few lines.
class YamlAliasTest {
  private static final String TOO_MANY =
      "aliases (*) expand the document beyond 200000 nodes or 99 % of it; write the content out"
          + " or split the document";
  private static final String TOO_LONG =
      "aliases (*) add more than 1.5 MiB to the document, the size limit of Kubernetes objects;"
          + " write the content out or split the document";

  @Test
  void aliasIsWhatItsAnchorNames() {
    assertThat(read("a: &x {k: [1, z]}\nb: *x\n&n name: c\nd: {*n : 5}\n"))
        .isEqualTo(
            "{\"a\":{\"k\":[1,\"z\"]},\"b\":{\"k\":[1,\"z\"]},\"d\":{\"name\":5},\"name\":\"c\"}");
  }

  @Test
  void laterAnchorOfTheSameNameCountsFromThereOn() {
    assertThat(read("a: &x 1\nb: *x\nc: &x 2\nd: *x\n"))
        .isEqualTo("{\"a\":1,\"b\":1,\"c\":2,\"d\":2}");
  }

  @Test
  void mergedKeysYieldToThoseBelowThem() {
    assertThat(read("x: &x {k: 1, l: 1}\na:\n  <<: *x\n  k: 2\n"))
        .isEqualTo("{\"a\":{\"k\":2,\"l\":1},\"x\":{\"k\":1,\"l\":1}}");
  }

  @Test
  void firstOfAListOfMergesCounts() {
    assertThat(read("a: {<<: [{k: 1}, {k: 2, l: 2}]}\n")).isEqualTo("{\"a\":{\"k\":1,\"l\":2}}");
  }

  @Test
  void refusesWhatReadersMergeDifferently() {
    assertThat(read("x: &x {k: 1}\na:\n  k: 2\n  <<: *x\n"))
        .isEqualTo(
            "[3:3, 4:3] a merge (<<) repeats a key defined above it, which parsers resolve"
                + " differently; move the << to the top");
    assertThat(read("a:\n  <<: {k: 1}\n  <<: {k: 2}\n"))
        .isEqualTo("[2:3, 3:3] two merges (<<) define the same key; combine them: << with a list");
  }

  @Test
  void refusesToMergeWhatIsNoMapping() {
    var reason = "[2:1] a merge (<<) requires a mapping or a list of mappings";

    assertThat(read("x: &x 1\n<<: *x\n")).isEqualTo(reason);
    assertThat(read("x: &x [{k: 1}]\n<<: *x\n")).isEqualTo(reason);
    assertThat(read("x: &x 1\n<<: [{k: 1}, *x]\n")).isEqualTo(reason);
  }

  @Test
  void refusesAliasesThatNameNothingOrThemselves() {
    assertThat(read("a: 1\nb: *x\n"))
        .isEqualTo("[2:4] an alias (*) refers to an undefined anchor (&)");
    assertThat(read("a: &x\n  b: [*x]\n"))
        .isEqualTo("[2:7] an alias (*) refers to a node that contains it");
  }

  @Test
  void refusesABillionLaughs() {
    var yaml = new StringBuilder("a0: &a0 [l, l, l, l, l, l, l, l, l, l]\n");
    for (int i = 1; i <= 9; i++) {
      yaml.append("a").append(i).append(": &a").append(i).append(" [");
      yaml.append(("*a" + (i - 1) + ", ").repeat(10)).append("]\n");
    }

    assertThat(read(yaml.toString())).endsWith(TOO_MANY);
  }

  @Test
  void refusesTenThousandNestedAliases() {
    var yaml = new StringBuilder("a0: &a0 {k: 1}\n");
    for (int i = 1; i <= 10_000; i++) {
      yaml.append("a" + i + ": &a" + i + " [*a" + (i - 1) + "]\n");
    }

    assertThat(read(yaml.toString())).isEqualTo("[200:14] nested deeper than 200 levels");
  }

  @Test
  void refusesAliasesThatAddMoreThanAnObjectMayBe() {
    var scalar = "x".repeat(10_000);

    assertThat(read("x: &x " + scalar + "\nlist:\n" + "- *x\n".repeat(2_000)))
        .isEqualTo("[160:3] " + TOO_LONG);
    assertThat(read("? &x " + scalar + "\n: 1\nlist:\n" + "- {*x : 1}\n".repeat(2_000)))
        .isEqualTo("[161:4] " + TOO_LONG);
    assertThat(read("x: &x {k: " + scalar + "}\nlist:\n" + "- {<<: *x}\n".repeat(2_000)))
        .isEqualTo("[160:8] " + TOO_LONG);
  }

  @Test
  void countsAnAliasAsLongAsItsJsonIs() {
    var escaped = "\\x01".repeat(2_000);

    assertThat(read("x: &x \"" + escaped + "\"\nlist:\n" + "- *x\n".repeat(200)))
        .isEqualTo("[134:3] " + TOO_LONG);
  }

  @Test
  void refusesABillionLaughsOfFewNodesAndMuchText() {
    var yaml = new StringBuilder("a0: &a0 " + "l".repeat(10_000) + "\n");
    for (int i = 1; i <= 9; i++) {
      yaml.append("a").append(i).append(": &a").append(i).append(" [");
      yaml.append(("*a" + (i - 1) + ", ").repeat(10)).append("]\n");
    }

    assertThat(read(yaml.toString())).endsWith(TOO_LONG);
  }

  @Test
  void takesAliasesUpToWhatAnObjectMayBe() {
    var yaml = "x: &x " + "x".repeat(10_000) + "\nlist:\n" + "- *x\n".repeat(150);

    assertThat(read(yaml)).startsWith("{\"list\":[\"xxx").hasSizeGreaterThan(1_500_000);
  }

  @Test
  void takesManyAliasesOfSomethingSmall() {
    var yaml = "x: &x {k: 1}\nlist: [" + "*x, ".repeat(20_000) + "]\n";

    assertThat(read(yaml))
        .startsWith("{\"list\":[{\"k\":1},{\"k\":1},")
        .hasSizeGreaterThan(160_000);
  }

  @Test
  void refusesADocumentThatIsNestedTooDeeply() {
    assertThat(read("[".repeat(5_000))).isEqualTo("[1:202] nested deeper than 200 levels");
    assertThat(read("- ".repeat(5_000))).isEqualTo("[1:403] nested deeper than 200 levels");
  }

  private static String read(String yaml) {
    var documents = YamlDocuments.read(yaml);
    assertThat(documents).hasSize(1);
    return switch (documents.getFirst()) {
      case YamlDocument.WellFormed sound -> CanonicalJson.write(sound.value());
      case YamlDocument.Broken broken ->
          broken.places().stream()
                  .map(location -> location.line() + ":" + location.column())
                  .toList()
              + " "
              + broken.reason();
    };
  }
}
