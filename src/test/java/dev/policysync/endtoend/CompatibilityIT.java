package dev.policysync.endtoend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.harness.Agent;
import dev.policysync.harness.FakeInsights;
import dev.policysync.harness.Feeds;
import dev.policysync.json.Value;
import dev.policysync.policy.PolicyKind;
import dev.policysync.testcluster.ClusterAssets;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The agent against the custom resources of each release of Kyverno that docs/compatibility.md
/// names: first sync of the example policies whose kinds that release has, a run without changes,
/// drift, a removal, the report, and what it says of kinds that are missing.
class CompatibilityIT {
  private static final String DRIFTING = "/apis/kyverno.io/v1/clusterpolicies/restrict-exec";

  @TempDir private Path folder;

  static Stream<String> releases() throws IOException {
    return Files.readAllLines(Path.of("dev", "cluster", "kyverno-crds.sums")).stream()
        .filter(line -> line.startsWith("v"))
        .map(line -> line.split(" ", 2)[0]);
  }

  @ParameterizedTest
  @MethodSource("releases")
  void worksWithTheCustomResourcesOf(String release) throws Exception {
    try (var cluster = TestCluster.start(assets(release));
        var insights = new FakeInsights()) {
      for (var namespace : List.of("shop", "platform")) {
        var metadata = new Value.Mapping(Map.of("name", new Value.Text(namespace)));
        cluster
            .admin()
            .post("/api/v1/namespaces", new Value.Mapping(Map.of("metadata", metadata)))
            .ok();
      }
      var agent = new Agent(cluster, insights.environment(), folder.resolve("pod"));
      var known = examples().filter(example -> served(cluster, kind(example))).toList();
      var unknown = examples().filter(example -> !served(cluster, kind(example))).toList();

      var writable = known.stream().map(example -> writable(release, example)).toList();
      var refused = known.stream().filter(example -> !writable.contains(example)).count();

      insights.expects(String.join("\n---\n", writable));
      var first = agent.run();
      assertThat(first.exitCode()).as(first.all()).isZero();
      assertThat(first.summary().items("applied")).hasSameSizeAs(known);

      var before = cluster.auditLog().writes().size();
      var second = agent.run();
      assertThat(second.exitCode()).as(second.all()).isZero();
      assertThat(cluster.auditLog().writes()).hasSize(before);

      cluster
          .admin()
          .jsonPatch(
              DRIFTING + "?fieldManager=kubectl-edit",
              "[{\"op\": \"replace\", \"path\": \"/spec/rules/0/validate/failureAction\","
                  + " \"value\": \"Audit\"}]")
          .ok();
      var repaired = agent.run();
      assertThat(repaired.exitCode()).as(repaired.all()).isZero();
      assertThat(repaired.summary().texts("updated")).containsExactly("restrict-exec");

      var without = writable.stream().filter(each -> !each.contains("restrict-exec")).toList();
      insights.expects(String.join("\n---\n", without));
      var removed = agent.run();
      assertThat(removed.exitCode()).as(removed.all()).isZero();
      assertThat(removed.summary().texts("removed")).containsExactly("restrict-exec");

      var report = agent.run("report");
      assertThat(report.exitCode()).as(report.all()).isZero();

      insights.expects(Feeds.examples());
      var whole = agent.run();
      assertThat(whole.summary().texts("applied")).as(whole.all()).containsExactly("restrict-exec");
      assertThat(whole.summary().items("errors"))
          .as(whole.all())
          .hasSize(unknown.size() + (int) refused)
          .allSatisfy(error ->
              assertThat(error.toString())
                  .containsAnyOf(
                      "the cluster does not serve the kind",
                      ".spec.evaluation.background: field not declared in schema"));
      assertThat(whole.exitCode()).isEqualTo(unknown.isEmpty() ? 0 : 1);

      assertThat(Files.readAllLines(Path.of("docs", "compatibility.md")))
          .contains(
              row(release, known.size() - (int) refused, known.size() + unknown.size(), unknown));
    }
  }

  /// An example without the field that a release does not know yet.
  private static String writable(String release, String example) {
    return release.startsWith("v1.16.") && kind(example) == PolicyKind.MUTATING_POLICY
        ? example.replace("    background:\n      enabled: false\n", "")
        : example;
  }

  private static String row(String release, int applied, int all, List<String> unknown) {
    Set<String> missing = new TreeSet<>(unknown.stream().map(each -> kind(each).kind()).toList());
    return "| %s | %d of %d | %s |"
        .formatted(
            release.substring(1),
            applied,
            all,
            missing.isEmpty()
                ? "none"
                : missing.stream().map(kind -> "`" + kind + "`").collect(joining(", ")));
  }

  private static Stream<String> examples() throws IOException {
    return Stream.of(Feeds.examples().split("(?m)^---\\s*$"))
        .filter(document -> document.lines().anyMatch(line -> line.startsWith("kind:")));
  }

  private static PolicyKind kind(String example) {
    var manifest = Documents.yaml(example);
    var group = manifest.text("apiVersion").orElseThrow().split("/", 2)[0];
    return PolicyKind.of(group, manifest.text("kind").orElseThrow()).orElseThrow();
  }

  private static boolean served(TestCluster cluster, PolicyKind kind) {
    return kind.versions().stream()
        .anyMatch(version ->
            cluster
                    .admin()
                    .get("/apis/" + kind.group() + "/" + version + "/" + kind.plural())
                    .status()
                == 200);
  }

  /// The programs of the usual test cluster, and that release's definitions.
  private ClusterAssets assets(String release) throws Exception {
    var process =
        new ProcessBuilder("dev/cluster/kyverno-crds", release)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    var definitions = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    assertThat(process.waitFor()).isZero();
    var assets = Files.createDirectory(folder.resolve("assets"));
    var crds = Files.createDirectory(assets.resolve("crds"));
    Files.createSymbolicLink(
        assets.resolve("bin"), ClusterAssets.find().folder().resolve("bin").toAbsolutePath());
    try (Stream<Path> files = Files.walk(Path.of(definitions))) {
      for (var file : files.filter(each -> each.toString().endsWith(".yaml")).toList()) {
        Files.copy(file, crds.resolve(file.getFileName()));
      }
    }
    return new ClusterAssets(assets);
  }
}
