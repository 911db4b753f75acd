package dev.policysync.install;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.policysync.base.CanonicalJson;
import dev.policysync.base.Value;
import dev.policysync.cli.Golden;
import dev.policysync.testcluster.Documents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// examples/migrate-values.yq, run by yq itself, and what the chart makes of its answers.
class MigrateValuesIT {
  /// Of the module proxy, as the other programs of Go.
  static final String YQ = "github.com/mikefarah/yq/v4@v4.47.1";

  private static final String NOT_NEEDED = "# Not needed here: ";

  private static final Path RESOURCES = Path.of("src", "test", "resources", "install");

  @TempDir private Path folder;

  @Test
  void convertsEachKeyOfTheTable() throws Exception {
    var converted = converted(RESOURCES.resolve("go-agent.values.yaml"));

    Golden.assertEqual(RESOURCES.resolve("go-agent.migrated.yaml"), converted);
  }

  @Test
  void leavesNothingUnreadThatIsNotConverted() throws Exception {
    var values = Documents.yaml(converted(RESOURCES.resolve("go-agent.values.yaml")));

    assertThatThrownBy(() -> rendered(CanonicalJson.write(values)))
        .hasMessageContaining("at '/notConverted'")
        .hasMessageContaining("decide about each of these, then remove notConverted");
    var cronJobs =
        Manifests.of(rendered(CanonicalJson.write(values.without("notConverted")))).all("CronJob");
    assertThat(cronJobs).hasSize(2);
  }

  @Test
  void saysOfEachKeyWhatBecomesOfIt() throws Exception {
    var cases = cases();
    var given = cases.stream().map(Case::given).collect(joining("\n---\n"));
    var file = Files.writeString(folder.resolve("values.yaml"), given);

    var converted = converted(file).split("\n---\n", -1);

    assertThat(converted).hasSameSizeAs(cases);
    for (int i = 0; i < converted.length; i++) {
      var one = cases.get(i);
      assertThat(Documents.yaml(converted[i])).as(one.given).isEqualTo(one.values());
      assertThat(comment(converted[i])).as(one.given).isEqualTo(one.comment);
    }
  }

  @Test
  void thePageCountsThem() throws IOException {
    var fates =
        cases().stream()
            .filter(one -> one.fate() != Fate.MIXED)
            .collect(groupingBy(Case::fate, counting()));

    assertThat(Files.readString(Path.of("docs/migration.md")).replaceAll("\\s+", " "))
        .contains(
            "A test converts each of them: %d stay as they are, %d are translated, %d wait for a decision, %d are named as not needed, none is left out in silence."
                .formatted(
                    fates.get(Fate.KEPT),
                    fates.get(Fate.TRANSLATED),
                    fates.get(Fate.DECISION),
                    fates.get(Fate.NOT_NEEDED)));
  }

  private enum Fate {
    KEPT,
    TRANSLATED,
    DECISION,
    NOT_NEEDED,
    /// More than one value.
    MIXED
  }

  /// @param comment the names in the comment at the top of the result
  private record Case(String given, String expected, String comment) {
    private Value.Mapping values() {
      return Documents.yaml(expected);
    }

    private Fate fate() {
      if (leaves(Documents.yaml(given)) != 1) {
        return Fate.MIXED;
      }
      if (values().equals(Documents.yaml(given))) {
        return Fate.KEPT;
      }
      if (values().fields().containsKey("notConverted")) {
        return Fate.DECISION;
      }
      return comment.isEmpty() ? Fate.TRANSLATED : Fate.NOT_NEEDED;
    }

    private static int leaves(Value value) {
      return value instanceof Value.Mapping mapping
          ? mapping.fields().values().stream().mapToInt(Case::leaves).sum()
          : 1;
    }
  }

  private static List<Case> cases() throws IOException {
    return Files.readAllLines(RESOURCES.resolve("go-agent-keys.txt")).stream()
        .filter(line -> !line.startsWith("#"))
        .map(line -> line.split(" \\|( |$)", -1))
        .map(row -> new Case(row[0], row[1], row[2]))
        .toList();
  }

  private static String comment(String converted) {
    return converted
        .lines()
        .filter(line -> line.startsWith(NOT_NEEDED))
        .map(line -> line.substring(NOT_NEEDED.length()))
        .findFirst()
        .orElse("");
  }

  /// Whatever is in the values of the two reports, the result accounts for it, also for keys that
  /// no version of the chart has.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "insights",
        "global",
        "global.proxy",
        "rbac",
        "cronjobs",
        "uploader",
        "kyverno-policy-sync",
        "kyverno-policy-sync.config",
        "kyverno"
      })
  void losesNoKeyThatItDoesNotKnow(String place) throws Exception {
    var path = List.of(place.split("\\."));
    Value value = Value.Mapping.EMPTY.with("unheardOf", "kept");
    for (var name : path.reversed()) {
      value = Value.Mapping.EMPTY.with(name, value);
    }
    var file = Files.writeString(folder.resolve("values.yaml"), CanonicalJson.write(value));

    assertThat(Documents.yaml(converted(file)))
        .isEqualTo(Value.Mapping.EMPTY.with("notConverted", value));
  }

  private String rendered(String values) throws IOException {
    var file = Files.writeString(folder.resolve("own.yaml"), values);
    return Chart.template(Chart.FOLDER, "insights-agent", command -> command.withValuesFile(file));
  }

  private String converted(Path values) throws Exception {
    var errors = folder.resolve("stderr");
    var process =
        new ProcessBuilder(
                "go", "run", YQ, "--from-file=examples/migrate-values.yq", values.toString())
            .redirectError(errors.toFile())
            .start();
    var text = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(Files.readString(errors)).isZero();
    return text;
  }
}
