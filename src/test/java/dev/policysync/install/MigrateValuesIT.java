package dev.policysync.install;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.policysync.base.CanonicalJson;
import dev.policysync.cli.Golden;
import dev.policysync.testcluster.Documents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// examples/migrate-values.yq, run by yq itself, and what the chart makes of its answers.
class MigrateValuesIT {
  /// Of the module proxy, as the other programs of Go.
  private static final String YQ = "github.com/mikefarah/yq/v4@v4.47.1";

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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}|{}",
        "{polaris: {enabled: true}}|{}",
        "{insights: {organization: acme}}|{insights: {organization: acme}}",
        "{rbac: {disabled: false}}|{}",
        "{kyverno-policy-sync: {enabled: false}}|{enabled: false}",
        "{kyverno: {enabled: true}}|{enabled: false, report: {enabled: true}}",
        "{kyverno: {schedule: 1 * * * *}}|{report: {schedule: 1 * * * *}}",
        "{kyverno-policy-sync: {schedule: rand * * * *}}|{notConverted: {kyverno-policy-sync: {schedule: rand * * * *}}}",
        "{fleetInstall: true}|{notConverted: {fleetInstall: true}}"
      })
  void addsNothingOfItsOwn(String given, String expected) throws Exception {
    var file = Files.writeString(folder.resolve("values.yaml"), given);

    assertThat(Documents.yaml(converted(file))).isEqualTo(Documents.yaml(expected));
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
