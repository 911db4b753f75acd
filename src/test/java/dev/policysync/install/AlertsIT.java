package dev.policysync.install;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.CanonicalJson;
import dev.policysync.base.Value;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.PrometheusAssets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The chart's alerts and its dashboard, as promtool judges them. The cases of each alert, firing
/// and not firing, are files in `install/alerts`.
class AlertsIT {
  private static final Path CASES = Path.of("src", "test", "resources", "install", "alerts");
  private static final Pattern METRIC = Pattern.compile("policysync_[a-z_]+");

  @TempDir Path folder;

  @Test
  void areRulesThatPrometheusTakes() throws Exception {
    assertThat(promtool("check", "rules", "--lint=all", "--lint-fatal", rules().toString()))
        .contains("SUCCESS: 6 rules found");
  }

  @ParameterizedTest
  @ValueSource(strings = {"stale", "policies", "ignored"})
  void fireWhenTheyShouldAndNotBefore(String cases) throws Exception {
    var _ = rules();
    var file = folder.resolve(cases + ".yaml");
    Files.writeString(
        file, Files.readString(CASES.resolve(cases + ".yaml")).replace("VERSION", version()));

    assertThat(promtool("test", "rules", file.toString())).contains("SUCCESS");
  }

  @Test
  void haveACaseEach() throws IOException {
    var cases = new StringBuilder();
    try (var files = Files.list(CASES)) {
      for (var file : files.toList()) {
        cases.append(Files.readString(file));
      }
    }

    assertThat(alerts())
        .hasSize(6)
        .allSatisfy(alert ->
            assertThat(cases)
                .containsPattern("alertname: " + alert + ", exp_alerts: \\[]")
                .containsPattern("alertname: " + alert + "\n +exp_alerts:\n"));
  }

  @Test
  void haveASectionInTheRunbook() throws IOException {
    var runbook = Files.readString(Path.of("docs", "operations.md"));

    for (var alert : alerts()) {
      assertThat(runbook).contains("\n### " + alert + "\n");
      assertThat(rendered().toString())
          .contains("docs/operations.md#" + alert.toLowerCase(Locale.ROOT));
    }
  }

  /// Grafana puts in what was chosen; here that is everything.
  @Test
  void dashboardAsksQueriesThatPrometheusTakes() throws Exception {
    var queries = queries();
    var rules = new ArrayList<Value>();
    for (var query : queries) {
      assertThat(query).contains("organization=~\"$organization\", cluster=~\"$cluster\"");
      rules.add(
          Value.Mapping.EMPTY
              .with("record", "dashboard:query" + rules.size())
              .with("expr", query.replaceAll("\\$[a-z]+", ".*")));
    }
    var file = Files.writeString(folder.resolve("queries.yaml"), grouped(rules));

    assertThat(promtool("check", "rules", file.toString()))
        .contains("SUCCESS: " + queries.size() + " rules found");
  }

  @Test
  void andDashboardAskForMetricsThatThereAre() throws IOException {
    var page = Files.readString(Path.of("docs", "operations.md"));
    var asked = metricsIn(rendered().toString() + queries());

    assertThat(asked).hasSizeGreaterThan(8).allMatch(name -> page.contains("| `" + name + "` |"));
  }

  @Test
  void dashboardIsFoundByGrafanasSidecar() {
    var configMap =
        Manifests.of(Chart.rendered("metrics", "insights-agent")).all("ConfigMap").stream()
            .filter(it -> it.mapping("metadata").text("name").orElse("").endsWith("-dashboard"))
            .findFirst()
            .orElseThrow();

    assertThat(configMap.mapping("metadata").mapping("labels").text("grafana_dashboard"))
        .contains("1");
    assertThat(Documents.json(configMap.mapping("data").text("policy-sync.json").orElseThrow()))
        .isEqualTo(dashboard());
  }

  private Path rules() throws IOException {
    return Files.writeString(
        folder.resolve("rules.yaml"), CanonicalJson.write(rendered().mapping("spec")));
  }

  private static Value.Mapping rendered() {
    return Manifests.of(Chart.rendered("metrics", "insights-agent")).only("PrometheusRule");
  }

  private static String version() {
    return rendered()
        .mapping("metadata")
        .mapping("labels")
        .text("app.kubernetes.io/version")
        .orElseThrow();
  }

  private static List<String> alerts() {
    var group = (Value.Mapping) rendered().mapping("spec").items("groups").getFirst();
    return group.items("rules").stream()
        .map(rule -> ((Value.Mapping) rule).text("alert").orElseThrow())
        .toList();
  }

  private static String grouped(List<Value> rules) {
    var group =
        Value.Mapping.EMPTY.with("name", "dashboard").with("rules", new Value.Sequence(rules));
    return CanonicalJson.write(
        Value.Mapping.EMPTY.with("groups", new Value.Sequence(List.of(group))));
  }

  private static Value.Mapping dashboard() {
    try {
      return Documents.json(
          Files.readString(Chart.FOLDER.resolve("dashboards").resolve("policy-sync.json")));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static List<String> queries() {
    return dashboard().items("panels").stream()
        .flatMap(panel -> ((Value.Mapping) panel).items("targets").stream())
        .map(target -> ((Value.Mapping) target).text("expr").orElseThrow())
        .toList();
  }

  private static Set<String> metricsIn(String text) {
    var found = new TreeSet<String>();
    METRIC.matcher(text).results().forEach(match -> found.add(match.group()));
    return found;
  }

  private String promtool(String... arguments) throws Exception {
    var command = new ArrayList<>(List.of(PrometheusAssets.find().promtool().toString()));
    command.addAll(List.of(arguments));
    var process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    var said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }
}
