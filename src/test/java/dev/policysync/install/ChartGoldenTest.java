package dev.policysync.install;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.cli.Golden;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What Helm makes of the chart, and the table of its values.
class ChartGoldenTest {
  @ParameterizedTest
  @MethodSource("valueSets")
  void rendersAsItDid(String valueSet) {
    Golden.assertEqual(
        Chart.VALUE_SETS.resolve(valueSet + ".rendered.yaml"),
        Chart.rendered(valueSet, "insights-agent"));
  }

  @ParameterizedTest
  @MethodSource("valueSets")
  void saysWhatToDoNext(String valueSet) {
    Golden.assertEqual(Chart.VALUE_SETS.resolve(valueSet + ".notes.txt"), Chart.notes(valueSet));
  }

  @Test
  void readmeHasTheTableOfAllValues() throws IOException {
    var readme = Chart.FOLDER.resolve("README.md");

    Golden.assertEqual(readme, ValuesTable.of(Chart.FOLDER.resolve("values.yaml")).in(readme));
  }

  @Test
  void hasNoExpectedTextWithoutAValueSet() throws IOException {
    try (var files = Files.list(Chart.VALUE_SETS)) {
      assertThat(files.map(Path::getFileName).map(Path::toString))
          .containsExactlyInAnyOrderElementsOf(
              valueSets().stream()
                  .flatMap(name ->
                      Stream.of(
                          name + ".values.yaml", name + ".rendered.yaml", name + ".notes.txt"))
                  .toList());
    }
  }

  static List<String> valueSets() {
    return Chart.valueSets();
  }
}
