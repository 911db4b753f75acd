package dev.policysync.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.policysync.base.Value;
import dev.policysync.endtoend.EndToEnd;
import dev.policysync.harness.Feeds;
import dev.policysync.testcluster.TimeLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Policies from elsewhere than the API, as the chart's Pods get them.
class ChartSourceIT extends EndToEnd {
  private static final String ORAS = "oras.land/oras/cmd/oras@v1.3.6";

  /// oras itself pulls what it pushed, by the init container's arguments, from a folder in place of
  /// a registry.
  @Test
  void syncsWhatTheInitContainerPulls() throws Exception {
    var pushed = Files.createDirectories(folder.resolve("policies").resolve("prod"));
    Files.writeString(pushed.resolve("team.yaml"), Feeds.clusterPolicy("team-label", "Audit"));
    var elsewhere = Files.createDirectories(folder.resolve("policies").resolve("test"));
    Files.writeString(elsewhere.resolve("not.yaml"), Feeds.clusterPolicy("not-this", "Audit"));
    oras(List.of("push", "registry/policies:v1", "policies"));
    var pod = pod("source.oci.artifact", "registry/policies:v1");

    oras(arguments(pod, "initContainers", "=/policies", "=" + folder.resolve("pulled")));
    var run =
        agent.run(
            arguments(
                    pod, "containers", "=/etc/policy-sync/policies", "=" + folder.resolve("pulled"))
                .toArray(String[]::new));

    assertThat(run.exitCode()).as(run.all()).isZero();
    assertThat(run.summary().items("applied")).containsExactly(new Value.Text("team-label"));
    assertThat(insights.feedRequests()).isZero();
  }

  @Test
  void needsNoTokenThen() {
    var pod = pod("source.configMapName", "policies");

    assertThat(pod.mappings("volumes"))
        .extracting(volume -> volume.text("name").orElseThrow())
        .containsExactly("settings", "policies");
  }

  @Test
  void comeFromOnePlace() {
    assertThatThrownBy(() ->
            Chart.template(
                Chart.FOLDER,
                "insights-agent",
                command ->
                    Chart.withWhatIsRequired(command)
                        .set("source.configMapName", "policies")
                        .set("source.oci.artifact", "registry.example/policies:v1")))
        .hasMessageContaining("more than one of source.oci.artifact, source.configMapName");
  }

  private static Value.Mapping pod(String name, String value) {
    var rendered =
        Chart.template(
            Chart.FOLDER,
            "insights-agent",
            command ->
                Chart.withWhatIsRequired(command)
                    .set(name, value)
                    .set("source.path", "policies/prod"));
    return Manifests.of(rendered)
        .only("CronJob")
        .mapping("spec")
        .mapping("jobTemplate")
        .mapping("spec")
        .mapping("template")
        .mapping("spec");
  }

  private static List<String> arguments(
      Value.Mapping pod, String containers, String mounted, String here) {
    return pod.mappings(containers).getFirst().texts("args").stream()
        .map(argument -> argument.replace(mounted, here))
        .toList();
  }

  private void oras(List<String> arguments) throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of("go", "run", ORAS));
    command.addAll(arguments);
    command.add("--oci-layout");
    var said = folder.resolve("oras.log");
    var process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    assertThat(process.waitFor(TimeLimits.WAIT)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(said)).isZero();
  }
}
