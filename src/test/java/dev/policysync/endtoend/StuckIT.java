package dev.policysync.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.harness.Agent;
import dev.policysync.harness.Feeds;
import dev.policysync.remote.http.RawServer;
import dev.policysync.testcluster.TimeLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Whatever does not answer: the run ends all the same, and says what it was waiting for.
class StuckIT extends EndToEnd {
  private static final Duration SHORT = Duration.ofSeconds(2);

  /// What a pipe holds at most before whoever writes to it has to wait, on Linux.
  private static final int PIPE = 64 << 10;

  /// How many policies are written at a time, by default.
  private static final int CONCURRENCY = 4;

  private static final String TIMEOUT_REACHED = "the run's TIMEOUT was reached";

  @Test
  void anApiServerThatNeverAnswersCostsNoMoreThanTheTimeout(@TempDir Path folder)
      throws IOException {
    // Of a file, so that nothing else is waited for.
    var policies =
        Files.writeString(folder.resolve("policies.yaml"), Feeds.clusterPolicy("a", "Audit"));
    try (var silent = RawServer.silent()) {

      var run =
          agentOf(silent)
              .with("TIMEOUT", TimeLimits.setting(SHORT))
              .run("sync", "--from", policies.toString());

      assertFailed(run, 1);
      assertThat(reason(run))
          .startsWith("GET https://127.0.0.1:")
          .endsWith(" failed: " + TIMEOUT_REACHED);
    }
  }

  @Test
  void aFeedThatNeverAnswersCostsNoMoreThanTheTimeout() throws IOException {
    try (var silent = RawServer.silent()) {

      var run =
          agent
              .with("FAIRWINDS_INSIGHTS_HOST", silent.url())
              .with("TIMEOUT", TimeLimits.setting(SHORT))
              .run();

      assertFailed(run, 1);
      assertThat(reason(run)).startsWith(TIMEOUT_REACHED + ": GET http://127.0.0.1:");
    }
  }

  @Test
  void aStandardInputThatNeverEndsCostsLittleMoreThanTheTimeout() throws Exception {
    var process =
        agent.with("TIMEOUT", TimeLimits.setting(SHORT)).start("sync", "--dry-run", "--from", "-");

    // Its input stays open.
    assertThat(process.waitFor(TimeLimits.WAIT)).isTrue();
    var run = Agent.ended(process);

    assertFailed(run, 1);
    assertThat(reason(run))
        .isEqualTo(
            TIMEOUT_REACHED
                + "; the run did not stop in time; last step: reading the feed and the"
                + " cluster");
    assertThat(run.summary().field("dryRun")).contains(new Value.Bool(true));
    assertThat(run.summary().text("duration").orElseThrow()).isNotEqualTo("0.0s");
  }

  @ParameterizedTest
  @CsvSource({"TERM, 143", "INT, 130"})
  void aSignalEndsWaitingForTheApiServer(String signal, int exitCode) throws Exception {
    insights.expects(Feeds.clusterPolicy("a", "Audit"));
    try (var silent = RawServer.silent()) {

      var run = signalled(agentOf(silent), signal, () -> silent.connections() > 0);

      assertFailed(run, exitCode);
      assertThat(run.summary().items("errors")).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({"TERM, 143", "INT, 130"})
  void aSignalEndsWaitingForTheFeed(String signal, int exitCode) throws Exception {
    try (var silent = RawServer.silent()) {
      var waiting = agent.with("FAIRWINDS_INSIGHTS_HOST", silent.url());

      var run = signalled(waiting, signal, () -> silent.connections() > 0);

      assertFailed(run, exitCode);
    }
  }

  @Test
  void aSignalEndsWaitingForTheLease() throws Exception {
    holdLease("somebody-else");
    insights.expects(Feeds.clusterPolicy("a", "Audit"));
    var log = cluster.auditLog();

    var run =
        signalled(
            agent,
            "TERM",
            () ->
                log.entries().stream()
                        .filter(entry -> entry.userAgent().startsWith("policy-sync/"))
                        .filter(entry -> entry.resource().startsWith("leases"))
                        .count()
                    > 2);

    assertFailed(run, 143);
    assertThat(exists("clusterpolicies", "a")).isFalse();
  }

  @Test
  void aSignalEndsWaitingForAStandardInputThatNeverEnds() throws Exception {
    var log = cluster.auditLog();
    var process = agent.start("sync", "--from", "-");
    Awaitility.await("the agent to read the cluster")
        .atMost(TimeLimits.WAIT)
        .until(() ->
            log.entries().stream().anyMatch(entry -> entry.userAgent().startsWith("policy-sync/")));

    send("TERM", process);
    assertThat(process.waitFor(TimeLimits.WAIT)).isTrue();
    var run = Agent.ended(process);

    assertFailed(run, 143);
    assertThat(reason(run))
        .startsWith("the run was stopped by a signal; the run did not stop in time");
  }

  /// Far more is logged than a pipe holds, and nobody reads it.
  @Test
  void anOutputThatNobodyReadsCostsLittleMoreThanTheTimeout() throws Exception {
    insights.expects(manyPolicies());
    var file = Files.createFile(folder.resolve("termination-log"));
    var process =
        agent
            .withProperty("policysync.terminationlog", file.toString())
            .with("LOG_LEVEL", "debug")
            .with("TIMEOUT", TimeLimits.setting(Duration.ofSeconds(8)))
            .start();

    assertThat(process.waitFor(TimeLimits.WAIT)).isTrue();

    assertThat(process.exitValue()).isEqualTo(1);
    assertThat(file).content().contains(TIMEOUT_REACHED);
  }

  /// Nobody reads what it writes, so that it gets stuck in the middle of its changes.
  @Test
  void aRunThatIsCutOffSaysWhatItDidAndGivesTheLeaseBack() throws Exception {
    insights.expects(manyPolicies());
    var file = Files.createFile(folder.resolve("termination-log"));
    var process =
        agent
            .withProperty("policysync.terminationlog", file.toString())
            .with("TIMEOUT", TimeLimits.setting(Duration.ofSeconds(8)))
            .start();

    assertThat(process.waitFor(TimeLimits.WAIT)).isTrue();

    var policies = cluster.admin().get("/apis/kyverno.io/v1/clusterpolicies").body();
    var applied = policies.items("items").size();
    var said = Pattern.compile("^Failed: ([0-9]+) applied,").matcher(Files.readString(file));
    assertThat(said.find()).isTrue();
    assertThat(applied).isLessThan(600);
    // Of each policy that is written at the moment nobody knows.
    assertThat(Integer.parseInt(said.group(1))).isBetween(applied - CONCURRENCY, applied);
    assertThat(cluster.admin().get(LEASE).ok().mapping("spec").text("holderIdentity").orElse(""))
        .isEmpty();
  }

  @Test
  void aSignalEndsARunWhoseOutputNobodyReads() throws Exception {
    insights.expects(manyPolicies());
    var process = agent.with("LOG_LEVEL", "debug").start();
    var before = new AtomicInteger();
    Awaitility.await("the pipe to be full")
        .atMost(TimeLimits.WAIT)
        .pollInterval(Duration.ofSeconds(1))
        .until(() -> {
          var written = process.getInputStream().available();
          return written == before.getAndSet(written) && written > PIPE / 2;
        });

    send("TERM", process);

    assertThat(process.waitFor(TimeLimits.WAIT)).isTrue();
    assertThat(process.exitValue()).isEqualTo(143);
  }

  private static String manyPolicies() {
    return Feeds.of(
        IntStream.range(0, 600)
            .mapToObj(
                i -> Feeds.clusterPolicy("a-policy-with-a-name-as-long-as-can-be-" + i, "Audit"))
            .toArray(String[]::new));
  }

  /// The heap has room for the bytes of this feed, but with what the program itself needs not for
  /// the work on them.
  @Test
  void aHeapThatIsFullInTheMiddleEndsTheRunWithASummary() throws IOException {
    insights.expects(manyPolicies());
    var file = Files.createFile(folder.resolve("termination-log"));

    var run =
        agent
            .withProperty("policysync.terminationlog", file.toString())
            .withJavaOption("-Xms10m")
            .withJavaOption("-Xmx10m")
            .run();

    assertFailed(run, 1);
    assertThat(reason(run))
        .contains("out of memory: the heap is limited to 9.0 MiB; increase the heap with");
    assertThat(file).content().contains("out of memory");
  }

  @Test
  void leavesAPodsTerminationMessage() throws IOException {
    insights.expects(Feeds.clusterPolicy("a", "Audit"));
    var file = Files.createFile(folder.resolve("termination-log"));

    var run = agent.withProperty("policysync.terminationlog", file.toString()).run();

    assertThat(run.exitCode()).as(run.all()).isZero();
    assertThat(file)
        .content()
        .startsWith("Done: 1 applied (")
        .endsWith(", run " + run.summary().text("run").orElseThrow() + "\n");
  }

  private Agent agentOf(RawServer server) {
    var port = server.url().substring(server.url().lastIndexOf(':') + 1);
    return agent.with("KUBERNETES_SERVICE_HOST", "127.0.0.1").with("KUBERNETES_SERVICE_PORT", port);
  }

  private static Agent.Run signalled(Agent agent, String signal, Callable<Boolean> when)
      throws Exception {
    var process = agent.start();
    Awaitility.await("the agent to wait").atMost(TimeLimits.WAIT).until(when);
    send(signal, process);
    return Agent.ended(process);
  }

  private static void send(String signal, Process process) throws Exception {
    var kill = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start();
    assertThat(kill.waitFor()).isZero();
  }

  /// One summary, the last line.
  private static void assertFailed(Agent.Run run, int exitCode) {
    assertThat(run.exitCode()).as(run.all()).isEqualTo(exitCode);
    assertThat(run.summary().text("msg")).as(run.all()).contains("Policy sync failed");
    assertThat(run.stdout().lines().filter(line -> line.contains("\"summary\":"))).hasSize(1);
  }

  private static String reason(Agent.Run run) {
    return run.summary().items("errors").stream()
        .map(item -> item instanceof Value.Mapping error ? error.text("reason").orElse("") : "")
        .findFirst()
        .orElseThrow();
  }
}
