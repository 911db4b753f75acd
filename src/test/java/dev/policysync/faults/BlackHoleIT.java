package dev.policysync.faults;

import static dev.policysync.harness.Feeds.clusterPolicy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.harness.Agent;
import dev.policysync.harness.Feeds;
import dev.policysync.testcluster.TimeLimits;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Connections that die in silence: what is sent goes nowhere, and nobody says so. The run goes on
/// over others, keeps its Lease and ends well.
///
/// Its TIMEOUT is far below what it took to wait for such connections.
class BlackHoleIT extends Faulty {
  private static final int POLICIES = 100;

  private BlackHole toCluster;
  private BlackHole toApi;

  /// How the agent speaks to the API server: by itself over HTTP/2, and over HTTP/1.1 where
  /// something on the way speaks nothing newer.
  private enum Protocol {
    HTTP_2(Duration.ofSeconds(30)),
    HTTP_1_1(Duration.ofSeconds(60));

    private final Duration timeout;

    Protocol(Duration timeout) {
      this.timeout = timeout;
    }
  }

  @BeforeEach
  void standBefore() throws IOException {
    toApi = new BlackHole(URI.create(insights.url()).getPort());
    agent.with("FAIRWINDS_INSIGHTS_HOST", "http://127.0.0.1:" + toApi.port());
  }

  @AfterEach
  void stepBack() {
    toApi.close();
    if (toCluster != null) {
      toCluster.close();
    }
  }

  @ParameterizedTest
  @EnumSource
  void duringWritesCostsNoneOfThem(Protocol protocol) throws IOException {
    standBeforeCluster(protocol);
    insights.expects(policies("Audit"));
    toCluster.dropsAfterSending(60_000);

    var run = agent.run();

    assertThat(toCluster.dropped()).isEqualTo(1);
    assertThat(run.exitCode()).as(run.all()).isZero();
    assertThat(texts(run, "applied")).hasSize(POLICIES);
    assertEndedWell();
  }

  @ParameterizedTest
  @EnumSource
  void duringListsDelaysThem(Protocol protocol) throws IOException {
    insights.expects(policies("Audit"));
    agent.run();
    standBeforeCluster(protocol);
    insights.expects(policies("Audit") + "---\n" + clusterPolicy("more", "Audit"));
    toCluster.dropsAfterReceiving(60_000);

    var run = agent.run();

    assertThat(toCluster.dropped()).isEqualTo(1);
    assertThat(run.exitCode()).as(run.all()).isZero();
    assertThat(changes(run)).containsExactly("applied ClusterPolicy/more new");
    assertEndedWell();
  }

  @Test
  void duringTheFeedDelaysIt() throws IOException {
    standBeforeCluster(Protocol.HTTP_2);
    insights.expects(policies("Audit"));
    toApi.dropsAfterReceiving(600); // it comes compressed

    var run = agent.run();

    assertThat(toApi.dropped()).isEqualTo(1);
    assertThat(run.exitCode()).as(run.all()).isZero();
    assertThat(texts(run, "applied")).hasSize(POLICIES);
    assertEndedWell();
  }

  private void standBeforeCluster(Protocol protocol) throws IOException {
    var port = protocol == Protocol.HTTP_2 ? cluster.url().port() : beforeCluster.port();
    toCluster = new BlackHole(port);
    agent
        .with("KUBERNETES_SERVICE_PORT", Integer.toString(toCluster.port()))
        .with("TIMEOUT", TimeLimits.scaled(protocol.timeout).toSeconds() + "s");
  }

  private void assertEndedWell() {
    var holder = cluster.admin().get(LEASE).ok().mapping("spec").text("holderIdentity").orElse("");
    assertThat(holder).isEmpty();
    Agent.Run next = agent.run();
    assertThat(next.exitCode()).as(next.all()).isZero();
    assertThat(changes(next)).isEmpty();
  }

  private static String policies(String action) {
    return Feeds.of(
        IntStream.range(0, POLICIES)
            .mapToObj(i -> clusterPolicy("many-" + i, action))
            .toArray(String[]::new));
  }
}
