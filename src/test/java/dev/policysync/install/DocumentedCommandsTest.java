package dev.policysync.install;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What README and docs tell people to type, as far as that can be judged without a cluster.
class DocumentedCommandsTest {
  private static final Pattern NAMESPACE = Pattern.compile("--namespace=([^\\s`]+)");

  /// Where a command or a line of another page puts the agent: in the chart's namespace, in one
  /// that the reader fills in, or where the demo's run says.
  private static final List<String> AGENTS =
      List.of("insights-agent", "…", "default", "kyverno", "{{", "\"$namespace\"");

  private final List<String> lines = lines();

  @Test
  void theAgentsNamespaceHasOneName() {
    assertThat(lines)
        .flatExtracting(
            line -> NAMESPACE.matcher(line).results().map(found -> found.group(1)).toList())
        .filteredOn(namespace -> namespace != null)
        .isNotEmpty()
        .isSubsetOf(AGENTS);
  }

  @Test
  void aJobByHandIsOfTheAgentsNamespaceAndHasANewNameEachTime() {
    assertThat(lines)
        .filteredOn(line -> line.contains("kubectl create job "))
        .hasSizeGreaterThan(4)
        .allSatisfy(line ->
            assertThat(line)
                .containsPattern("create job \"(\\$job|[a-z-]+-\\$\\(date \\+%s\\))\"")
                .containsPattern(" --namespace=(insights-agent|\\{\\{ .Release.Namespace }})"));
  }

  @Test
  void theChartIsInstalledFromWhereItIsPublished() {
    assertThat(lines)
        .filteredOn(line -> line.contains("helm install "))
        .hasSizeGreaterThan(2)
        .allSatisfy(line ->
            assertThat(line)
                .containsPattern(
                    "helm install kyverno-policy-sync"
                        + " oci://ghcr.io/policy-sync/charts/kyverno-policy-sync --version=\\d"));
  }

  private static List<String> lines() {
    var lines = new ArrayList<String>();
    try (Stream<Path> docs = Files.list(Path.of("docs"));
        Stream<Path> chart = Files.list(Path.of("chart"));
        Stream<Path> examples = Files.list(Path.of("examples"))) {
      var files =
          Stream.of(
                  docs,
                  chart,
                  examples,
                  Stream.of("README.md", "SECURITY.md", "chart/templates/NOTES.txt").map(Path::of))
              .flatMap(found -> found)
              .filter(file -> file.toString().matches(".*\\.(md|yaml|txt)"))
              .toList();
      for (var file : files) {
        lines.addAll(Files.readAllLines(file));
      }
    } catch (IOException e) {
      throw new AssertionError("cannot read the docs", e);
    }
    return lines;
  }
}
