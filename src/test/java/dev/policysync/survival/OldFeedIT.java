package dev.policysync.survival;

import static dev.policysync.harness.Feeds.clusterPolicy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.endtoend.EndToEnd;
import dev.policysync.harness.Agent;
import dev.policysync.harness.Feeds;
import dev.policysync.harness.TestAuthority;
import dev.policysync.testcluster.Documents;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A run that has read the feed, and is kept from the Lease until another one has applied a newer
/// feed from beginning to end.
class OldFeedIT extends EndToEnd {
  private static final String OLD =
      Feeds.of(clusterPolicy("changes", "Audit"), clusterPolicy("old", "Audit"));
  private static final String NEW =
      Feeds.of(clusterPolicy("changes", "Enforce"), clusterPolicy("brought", "Audit"));

  @BeforeEach
  void syncSomethingElse() {
    insights.expects(clusterPolicy("changes", "Audit"));
    assertThat(agent.run().exitCode()).isZero();
    insights.forgetRequests();
  }

  @Test
  void isReadAgainUnderTheLease() throws IOException {
    var slow = run(NEW);

    assertThat(slow.exitCode()).as(slow.all()).isZero();
    assertThat(changes(slow)).isEmpty();
    assertOnlyTheNewerWasWritten();
  }

  /// A replica of the API that lags behind, say.
  @Test
  void isNotWrittenWhereTheApiStillHasIt() throws IOException {
    var slow = run(OLD);

    assertThat(slow.exitCode()).as(slow.all()).isEqualTo(3);
    assertThat(changes(slow)).isEmpty();
    assertOnlyTheNewerWasWritten();
  }

  private void assertOnlyTheNewerWasWritten() {
    assertThat(exists("clusterpolicies", "brought")).isTrue();
    assertThat(exists("clusterpolicies", "old")).isFalse();
    assertThat(live("clusterpolicies", "changes").toString()).contains("Enforce");
    assertThat(insights.statuses())
        .extracting(body -> Documents.json(body).text("policyName").orElse(""))
        .containsExactlyInAnyOrder("brought", "changes");
  }

  /// A run that sees the old feed first.
  ///
  /// @param afterwards what the API expects once another run has applied the newer one
  private Agent.Run run(String afterwards) throws IOException {
    insights.expects(OLD);
    var overtaken = new AtomicBoolean();
    InterceptingProxy.Gatekeeper overtaking =
        passage -> {
          if (passage.write() && overtaken.compareAndSet(false, true)) {
            insights.expects(NEW);
            var other = agent.run();
            assertThat(changes(other)).as(other.all()).hasSize(2);
            insights.expects(afterwards);
          }
          return true;
        };
    try (var way = InterceptingProxy.before(cluster, overtaking)) {
      var slow = new Agent(cluster, insights.environment(), folder.resolve("slow"));
      var run = slow.through(way.port(), TestAuthority.shared().pem()).run();
      assertThat(overtaken).as(run.all()).isTrue();
      return run;
    }
  }
}
