package dev.policysync.faults;

import static dev.policysync.harness.Feeds.clusterPolicy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.harness.Feeds;
import dev.policysync.testcluster.TimeLimits;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// A connection to the API that dies in silence while the feed comes: it is asked for again, over
/// another one, long before the run's time is over.
class DeadFeedConnectionIT extends FaultyEnvironment {
  private static final int POLICIES = 100;

  @Test
  void onlyDelaysTheRun() throws IOException {
    insights.expects(
        Feeds.of(
            IntStream.range(0, POLICIES)
                .mapToObj(i -> clusterPolicy("many-" + i, "Audit"))
                .toArray(String[]::new)));
    try (var toApi = new BlackHole(URI.create(insights.url()).getPort())) {
      toApi.dropsAfterReceiving(600); // it comes compressed
      var timeout = TimeLimits.scaled(Duration.ofSeconds(30));

      var run =
          agent
              .with("FAIRWINDS_INSIGHTS_HOST", "http://127.0.0.1:" + toApi.port())
              .with("TIMEOUT", timeout.toSeconds() + "s")
              .run();
      var next = agent.run();

      assertThat(toApi.dropped()).isEqualTo(1);
      assertThat(run.exitCode()).as(run.all()).isZero();
      assertThat(texts(run, "applied")).hasSize(POLICIES);
      assertThat(next.exitCode()).as(next.all()).isZero();
      assertThat(changes(next)).isEmpty();
    }
  }
}
