package dev.policysync.install;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.CanonicalJson;
import dev.policysync.base.Value;
import dev.policysync.endtoend.EndToEnd;
import dev.policysync.harness.Feeds;
import dev.policysync.testcluster.KubeconfigFile;
import dev.policysync.testcluster.Kubectl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The files in `examples/`, but for the policies, which have tests of their own: each is accepted
/// by whoever will be given it.
class ExamplesIT extends EndToEnd {
  private static final Path EXAMPLES = Path.of("examples");
  private static final String NAMESPACE = "insights-agent";

  @BeforeEach
  void makeRoom() {
    createNamespace(NAMESPACE);
  }

  @Test
  void areAllInTheirReadme() throws IOException {
    var readme = Files.readString(EXAMPLES.resolve("README.md"));

    try (Stream<Path> files = Files.list(EXAMPLES)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .filteredOn(name -> !name.equals("README.md"))
          .allMatch(name -> readme.contains("](" + name + ")"));
    }
  }

  @Test
  void theCronJobIsWhatTheChartInstalls() {
    var plain = Manifests.read(EXAMPLES.resolve("cronjob.yaml"));
    var rendered = Manifests.of(Chart.rendered("minimal", NAMESPACE));

    for (var kind : List.of("ConfigMap", "CronJob")) {
      assertThat(withoutHelmsLabels(plain.only(kind)))
          .isEqualTo(withoutHelmsLabels(rendered.only(kind)));
    }
  }

  @Test
  void theApiServerTakesThem() {
    var cronJob = Manifests.read(EXAMPLES.resolve("cronjob.yaml"));
    var preview = Manifests.read(EXAMPLES.resolve("preview-job.yaml")).only("Job");
    var named = preview.with("metadata", preview.mapping("metadata").with("name", "preview"));

    for (var object : Stream.concat(cronJob.objects().stream(), Stream.of(named)).toList()) {
      assertThat(Manifests.dryRun(cluster.admin(), object, NAMESPACE))
          .satisfies(reply -> reply.ok());
    }
  }

  @Test
  void theRunByHandIsAJobOfTheCronJob() throws Exception {
    Manifests.read(EXAMPLES.resolve("cronjob.yaml")).apply(cluster.admin(), NAMESPACE);
    var kubectl = Kubectl.of(cluster, folder.resolve("home"));
    // Nobody runs Pods here, whose logs could be followed.
    var own = folder.resolve("kubectl");
    Files.writeString(
        own,
        "#!/bin/sh\nif [ \"$1\" = logs ]; then echo \"$@\"; else exec \"%s\" \"$@\"; fi\n"
            .formatted(kubectl.process().command().getFirst()));
    assertThat(own.toFile().setExecutable(true)).isTrue();

    var builder = kubectl.process();
    builder.command(EXAMPLES.resolve("run-now.sh").toAbsolutePath().toString());
    builder.environment().put("PATH", folder + ":/usr/bin:/bin");
    var process = builder.start();
    var said = new String(process.getInputStream().readAllBytes(), UTF_8);

    assertThat(process.waitFor()).as(said).isZero();
    assertThat(said)
        .containsPattern("job.batch/kyverno-policy-sync-by-hand-\\d+ created\n")
        .containsPattern("logs job/kyverno-policy-sync-by-hand-\\d+ --namespace=insights-agent");
  }

  @Test
  void theSelfHostedApisValuesAreTheCharts() {
    var values = EXAMPLES.resolve("self-hosted.values.yaml");
    var rendered =
        Manifests.of(
            Chart.template(Chart.FOLDER, NAMESPACE, command -> command.withValuesFile(values)));

    assertThat(rendered.objects()).hasSize(8);
    for (var object : rendered.objects()) {
      assertThat(Manifests.dryRun(cluster.admin(), object, NAMESPACE))
          .satisfies(reply -> reply.ok());
    }
  }

  @Test
  void thePullRequestSeesWhatItWouldChangeAndChangesNothing() throws IOException {
    var steps =
        Manifests.read(EXAMPLES.resolve("github-preview.yaml"))
            .objects()
            .getFirst()
            .mapping("jobs")
            .mapping("preview")
            .items("steps");
    var command = ((Value.Mapping) steps.getLast()).text("run").orElseThrow();
    assertThat(command).startsWith("policy-sync diff --from policies ").endsWith(" || [ $? = 4 ]");
    assertThat(steps)
        .extracting(step -> ((Value.Mapping) step).text("run").orElse(""))
        .contains("policy-sync lint policies");
    var policies = Files.createDirectories(folder.resolve("policies"));
    Files.writeString(
        policies.resolve("team-label.yaml"), Feeds.clusterPolicy("team-label", "Audit"));
    var kubeconfig = KubeconfigFile.ofAdmin(cluster).write(folder.resolve("kubeconfig"));
    var arguments =
        command
            .replace("policy-sync ", "")
            .replace(" || [ $? = 4 ]", "")
            .replace("--from policies", "--from " + policies)
            .split(" ", -1);

    var lint = agent.run("lint", policies.toString());
    var run = agent.with("KUBECONFIG", kubeconfig.toString()).run(arguments);

    assertThat(lint.exitCode()).as(lint.all()).isZero();
    assertThat(run.exitCode()).as(run.all()).isEqualTo(4);
    assertThat(run.stdout()).contains("ClusterPolicy/team-label", "to apply");
    assertThat(exists("clusterpolicies", "team-label")).isFalse();
  }

  private static Value.Mapping withoutHelmsLabels(Value.Mapping object) {
    var manifest = CanonicalJson.write(object);
    return Manifests.of(
            manifest
                .replaceAll("\"(app\\.kubernetes\\.io/[a-z-]+|helm\\.sh/chart)\":\"[^\"]*\",?", "")
                .replace(",}", "}"))
        .objects()
        .getFirst();
  }
}
