package dev.policysync.faults;

import static dev.policysync.harness.Feeds.clusterPolicy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.harness.Agent;
import dev.policysync.harness.Feeds;
import dev.policysync.testcluster.TimeLimits;
import java.io.IOException;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Connections to the API server that die in silence: what is sent goes nowhere, and nobody says
/// so. The run goes on over others, keeps its Lease and ends well.
///
/// Its TIMEOUT is far below what it took to wait for such connections.
class BlackHoleIT extends FaultyEnvironment {
  private static final int POLICIES = 100;

  private BlackHole toCluster;
  private BlackHole overHttp1;

  /// How the agent speaks to the API server: by itself over HTTP/2, and over HTTP/1.1 where
  /// something on the way speaks nothing newer.
  enum Protocol {
    HTTP_2(Duration.ofSeconds(30)),
    HTTP_1_1(Duration.ofSeconds(60));

    private final Duration timeout;

    Protocol(Duration timeout) {
      this.timeout = timeout;
    }
  }

  @BeforeEach
  void standBefore() throws IOException {
    toCluster = new BlackHole(cluster.url().port());
    overHttp1 = new BlackHole(beforeCluster.port());
  }

  @AfterEach
  void stepBack() {
    toCluster.close();
    overHttp1.close();
  }

  @ParameterizedTest
  @EnumSource
  void aDeadConnectionDuringWritesLosesNoWrite(Protocol protocol) {
    var hole = standBeforeCluster(protocol);
    insights.expects(policies("Audit"));
    hole.dropsAfterSending(60_000);

    var run = agent.run();

    assertThat(hole.dropped()).isEqualTo(1);
    assertThat(run.exitCode()).as(run.all()).isZero();
    assertThat(texts(run, "applied")).hasSize(POLICIES);
    assertEndedWell();
  }

  @ParameterizedTest
  @EnumSource
  void aDeadConnectionDuringListsOnlyDelaysThem(Protocol protocol) {
    insights.expects(policies("Audit"));
    agent.run();
    var hole = standBeforeCluster(protocol);
    insights.expects(policies("Audit") + "---\n" + clusterPolicy("more", "Audit"));
    hole.dropsAfterReceiving(60_000);

    var run = agent.run();

    assertThat(hole.dropped()).isEqualTo(1);
    assertThat(run.exitCode()).as(run.all()).isZero();
    assertThat(changes(run)).containsExactly("applied ClusterPolicy/more new");
    assertEndedWell();
  }

  private BlackHole standBeforeCluster(Protocol protocol) {
    var hole = protocol == Protocol.HTTP_2 ? toCluster : overHttp1;
    agent
        .with("KUBERNETES_SERVICE_PORT", Integer.toString(hole.port()))
        .with("TIMEOUT", TimeLimits.scaled(protocol.timeout).toSeconds() + "s");
    return hole;
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
