package dev.policysync.faults;

import static dev.policysync.harness.Feeds.clusterPolicy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.endtoend.EndToEnd;
import dev.policysync.harness.Agent;
import dev.policysync.harness.Feeds;
import dev.policysync.testcluster.Documents;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;

/// A policy waits for a finalizer that nobody removes: the removals of others wait with it for a
/// time, and no longer.
class LastingFailureIT extends EndToEnd {
  private static final String MEMORY = "policysync.dev/memory";

  @Test
  void holdsBackRemovalsForATime() {
    var since = Instant.now().minus(Duration.ofHours(2)).truncatedTo(ChronoUnit.SECONDS);
    insights.expects(
        Feeds.of(
            clusterPolicy("stays", "Audit"),
            clusterPolicy("stuck", "Audit"),
            clusterPolicy("goes", "Audit")));
    assertThat(agent.run().exitCode()).isZero();
    finalizers("[\"example.com/hold\"]");
    cluster.admin().delete("/apis/kyverno.io/v1/clusterpolicies/stuck").ok();
    insights.expects(Feeds.of(clusterPolicy("stays", "Audit"), clusterPolicy("stuck", "Audit")));

    var first = agent.run();
    assertThat(memory().items("failures")).hasSize(1);
    failedInFiveRuns(since);
    var sixth = agent.run();
    var seventh = agent.run();
    finalizers("[]");
    var healed = agent.run();

    for (var waiting : new Agent.Run[] {first, sixth}) {
      assertThat(waiting.exitCode()).as(waiting.all()).isEqualTo(1);
      assertThat(policiesIn(waiting, "notAttempted")).containsExactly("ClusterPolicy/goes");
      assertThat(texts(waiting, "warnings")).isEmpty();
    }
    assertThat(seventh.exitCode()).as(seventh.all()).isEqualTo(1);
    assertThat(changes(seventh)).containsExactly("removed ClusterPolicy/goes gone from feed");
    assertThat(texts(seventh, "warnings"))
        .containsExactly(
            "ClusterPolicy/stuck has failed since "
                + since
                + ", in 7 runs; removals of other policies no longer wait for it");
    assertThat(healed.exitCode()).as(healed.all()).isZero();
    assertThat(changes(healed)).containsExactly("applied ClusterPolicy/stuck new");
    assertThat(memory().field("failures")).isEmpty();
  }

  /// As runs would have noted that wrote the Lease for hours.
  private void failedInFiveRuns(Instant since) {
    cluster
        .admin()
        .merge(
            LEASE,
            Documents.yaml(
                """
                metadata:
                  annotations:
                    %s: >-
                      {"failures": [{"since": "%s", "runs": 5,
                                     "policies": {"ClusterPolicy.kyverno.io": ["stuck"]}}]}
                """
                    .formatted(MEMORY, since)))
        .ok();
  }

  private Value.Mapping memory() {
    var annotations = cluster.admin().get(LEASE).ok().mapping("metadata").mapping("annotations");
    return Documents.yaml(annotations.text(MEMORY).orElse("{}"));
  }

  private void finalizers(String list) {
    patch(
        "clusterpolicies",
        "stuck",
        "[{\"op\": \"add\", \"path\": \"/metadata/finalizers\", \"value\": " + list + "}]");
  }
}
