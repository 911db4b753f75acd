package dev.policysync.endtoend;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static dev.policysync.harness.Feeds.clusterPolicy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.harness.Agent;
import dev.policysync.harness.Feeds;
import dev.policysync.policy.PolicyKind;
import dev.policysync.testcluster.AdmissionWebhook;
import dev.policysync.testcluster.PrometheusAssets;
import dev.policysync.testcluster.RealPushgateway;
import dev.policysync.testcluster.TimeLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What Prometheus sees of runs, by a real Pushgateway and by a file that promtool reads.
class MetricsIT extends EndToEnd {
  private static final String WHERE = "cluster=\"prod-1\",instance=\"\",job=\"policy-sync\"";
  private static final String SUCCESS = "policysync_last_success_timestamp_seconds";
  private static final String LAST = "policysync_last_run_timestamp_seconds";
  private static final String FEED =
      Feeds.of(clusterPolicy("a", "Audit"), clusterPolicy("b", "Audit"));

  private RealPushgateway gateway;
  private Path file;

  @BeforeEach
  void startGateway() throws IOException {
    gateway = new RealPushgateway(Files.createDirectory(folder.resolve("gateway")));
    file = folder.resolve("policy-sync.prom");
    agent.with("METRICS_PUSH_URL", gateway.url().toString()).with("METRICS_FILE", file.toString());
    insights.expects(FEED);
  }

  @AfterEach
  void stopGateway() {
    gateway.close();
  }

  @Test
  void tellsGatewayAndFileOfASuccess() throws Exception {
    var before = Instant.now().getEpochSecond();

    assertThat(agent.run().exitCode()).isZero();

    assertThat(gateway.value(sample(SUCCESS, "")))
        .isBetween((double) before, (double) Instant.now().getEpochSecond());
    assertThat(gateway.value(sample("policysync_policies", "state=\"in_force\""))).isEqualTo(2);
    assertThat(
            gateway.samples().stream()
                .filter(line -> line.startsWith("policysync_last_run_changes")))
        .anyMatch(line -> line.contains("action=\"applied\",cause=\"new\"") && line.endsWith(" 2"));
    assertThat(namesIn(Files.readString(file)))
        .isEqualTo(namesIn(String.join("\n", gateway.samples())));
    assertThat(promtoolSaysOf(file)).isEmpty();
  }

  @Test
  void keepsTheLastSuccessWhenARunFails() throws IOException {
    agent.run();
    var success = gateway.value(sample(SUCCESS, ""));
    insights.answers(aResponse().withStatus(401));

    assertThat(agent.run().exitCode()).isEqualTo(1);

    assertThat(gateway.value(sample(SUCCESS, ""))).isEqualTo(success);
    assertThat(gateway.value(sample("policysync_last_run_status", "status=\"failed\"")))
        .isEqualTo(1);
    assertThat(gateway.value(sample("policysync_last_run_status", "status=\"done\""))).isZero();
    assertThat(gateway.value(sample("policysync_policies", "state=\"in_force\""))).isEqualTo(2);
    assertThat(gateway.value(sample(LAST, ""))).isGreaterThanOrEqualTo(success);
    assertThat(Files.readString(file))
        .contains(SUCCESS + "{organization=\"acme\",cluster=\"prod-1\"} " + (long) success)
        .contains("status=\"failed\"} 1");
  }

  @Test
  void takesASkippedRunForNoSuccess() {
    agent.run();
    var success = gateway.value(sample(SUCCESS, ""));
    insights.expects(Feeds.of(clusterPolicy("a", "Enforce")));
    cluster.admin().delete(LEASE);
    holdLease("somebody-else");

    agent.with("LOCK_WAIT", "0").run();

    assertThat(gateway.value(sample("policysync_last_run_status", "status=\"skipped\"")))
        .isEqualTo(1);
    assertThat(gateway.value(sample(SUCCESS, ""))).isEqualTo(success);
  }

  @Test
  void takesASkippedRunForAFailedOneWhereNoRunCanBeAtWork() {
    agent.run();
    insights.expects(Feeds.of(clusterPolicy("a", "Enforce")));
    cluster.admin().delete(LEASE);
    holdLease("somebody-else", Instant.now().minus(Duration.ofHours(1)));

    agent.with("LOCK_WAIT", "0").run();

    assertThat(gateway.value(sample("policysync_last_run_status", "status=\"failed\"")))
        .isEqualTo(1);
    assertThat(gateway.value(sample("policysync_last_run_status", "status=\"skipped\""))).isZero();
  }

  @Test
  void warnsOnceAndSucceedsWithoutAGateway() {
    gateway.close();

    var run = agent.run();

    assertThat(run.exitCode()).isZero();
    assertThat(run.stdout().lines().filter(line -> line.contains("Metrics not pushed")))
        .singleElement()
        .asString()
        .contains("\"level\":\"warn\"", "could not connect");
    assertThat(run.summary().text("msg")).contains("Policy sync completed");
    assertThat(file).exists();
  }

  /// It takes connections and never answers.
  @Test
  void waitsThreeSecondsForAGatewayThatStandsStill() {
    try (var _ = gateway.stall()) {
      var run = agent.run();

      assertThat(run.exitCode()).isZero();
      assertThat(run.stdout()).contains("no response within 3000 ms");
    }
  }

  @Test
  void showsNoPassword() {
    agent.with("METRICS_PUSH_URL", gateway.url().toString().replace("//", "//team:qW8rTz5u@"));

    var run = agent.with("LOG_LEVEL", "debug").run();

    assertThat(run.exitCode()).isZero();
    assertThat(run.all()).contains("/metrics/job/policy-sync").doesNotContain("qW8rTz5u", "team:");
  }

  /// The start of a run that nobody measures is as short as before.
  @Test
  void loadsNothingWhereNobodyWantsMetrics() throws IOException {
    agent.with("METRICS_PUSH_URL", "").with("METRICS_FILE", "");

    assertThat(agent.classesOfARun(folder.resolve("classes.log")))
        .noneMatch(name -> name.startsWith("dev.policysync.sync.metrics."))
        .noneMatch(name -> name.startsWith("dev.policysync.pushgateway."))
        .doesNotContain("dev.policysync.app.MetricsWiring");
  }

  @Test
  void tellsNobodyOfADryRun() {
    assertThat(agent.run("--dry-run").exitCode()).isZero();

    assertThat(gateway.samples()).isEmpty();
    assertThat(file).doesNotExist();
  }

  /// The little time that is left belongs to the Lease.
  @Test
  void writesOnlyTheFileWhenASignalStopsIt() throws IOException {
    agent.with("CONCURRENCY", "1");
    try (var webhook = AdmissionWebhook.on(cluster, PolicyKind.CLUSTER_POLICY)) {
      webhook.hesitates(Duration.ofMillis(400));
      var log = cluster.auditLog();
      var process = agent.start();
      Awaitility.await("the agent to apply a policy")
          .atMost(TimeLimits.WAIT)
          .pollInterval(Duration.ofMillis(50))
          .until(() ->
              log.writes().stream()
                  .anyMatch(write -> write.resource().startsWith("clusterpolicies")));

      process.toHandle().destroy();
      var run = Agent.ended(process);

      assertThat(run.exitCode()).as(run.all()).isEqualTo(143);
    }
    assertThat(gateway.samples()).isEmpty();
    assertThat(file).content().contains("status=\"stopped\"} 1").doesNotContain(SUCCESS);
  }

  private static String sample(String name, String label) {
    return name
        + "{"
        + WHERE
        + ",organization=\"acme\""
        + (label.isEmpty() ? "" : "," + label)
        + "}";
  }

  private static Set<String> namesIn(String text) {
    return text.lines()
        .filter(line -> line.startsWith("policysync_"))
        .map(line -> line.replaceFirst("[{ ].*", ""))
        .collect(Collectors.toSet());
  }

  private static String promtoolSaysOf(Path file) throws Exception {
    var process =
        new ProcessBuilder(
                List.of(PrometheusAssets.find().promtool().toString(), "check", "metrics"))
            .redirectInput(file.toFile())
            .redirectErrorStream(true)
            .start();
    var said =
        new String(
            process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }
}
