package dev.policysync.faults;

import static dev.policysync.harness.Feeds.clusterPolicy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.faults.Fault.DoneAndRefused;
import dev.policysync.faults.Fault.None;
import dev.policysync.harness.Agent;
import dev.policysync.harness.Feeds;
import dev.policysync.testcluster.Documents;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A feed that loses two of ten policies in each run, while removals are not simply done and
/// answered: they count against the budget of a day all the same (promise 4).
class RemovalWindowIT extends FaultyEnvironment {
  @BeforeEach
  void ownsTen() {
    insights.expects(policies(10));
    assertThat(agent.run().exitCode()).isZero();
  }

  @Test
  void countsRemovalsThatWaitForAFinalizer() {
    for (int i = 0; i < 10; i++) {
      finalizers("p-" + i, "[\"example.com/hold\"]");
    }

    var last = shrink();
    var terminating = IntStream.range(0, 10).filter(this::terminating).count();
    for (int i = 0; i < 10; i++) {
      finalizers("p-" + i, "[]");
    }

    assertThat(terminating).isEqualTo(2);
    assertThat(last.exitCode()).as(last.all()).isEqualTo(3);
    assertThat(policiesIn(last, "withheld")).hasSize(6);
  }

  @ParameterizedTest
  @CsvSource({
    "500, etcdserver: request timed out",
    "502, bad gateway",
    "503, apiserver not ready",
    "504, Timeout: request did not complete within the time",
    "429, too many requests"
  })
  void countsRemovalsThatWereDoneAndAnsweredWithAnError(int status, String message) {
    beforeCluster.becomes(asked ->
        asked.method().equals("DELETE") ? new DoneAndRefused(status, message) : new None());

    var last = shrink();

    assertThat(last.exitCode()).as(last.all()).isEqualTo(3);
    assertThat(IntStream.range(0, 10).filter(i -> exists("clusterpolicies", "p-" + i)).count())
        .isEqualTo(8);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "failures: [{policies: {ClusterPolicy.kyverno.io: [p-0]}, runs: 1.5, since:"
            + " '2026-11-20T09:30:00Z'}]",
        "withheld: {at: '+1000000000-12-31T23:59:59Z', count: 5}",
        "removed: [{at: '2026-11-20T09:30:00Z', count: two, owned: 10}]"
      })
  void removesNothingWhereAPartOfWhatWasRecordedCannotBeRead(String field) {
    insights.expects(policies(5));
    assertThat(agent.run().exitCode()).as("withheld").isEqualTo(3);
    var part = Documents.yaml(field).fields().entrySet().iterator().next();
    record(recorded().with(part.getKey(), part.getValue()));
    insights.expects(policies(9));

    var found = agent.run();
    var next = agent.run();

    assertThat(found.exitCode()).as(found.all()).isEqualTo(3);
    assertThat(texts(found, "warnings"))
        .singleElement()
        .asString()
        .startsWith("\"" + part.getKey() + "\" of the state that earlier runs recorded")
        .contains("removals wait until ");
    assertThat(policiesIn(next, "withheld")).containsExactly("ClusterPolicy/p-9");
    assertThat(texts(next, "warnings")).isEmpty();
    assertThat(recorded().field("unreadableSince")).isPresent();
    assertThat(exists("clusterpolicies", "p-9")).isTrue();
  }

  /// Four runs, each with two policies fewer.
  private Agent.Run shrink() {
    for (int left = 8; left > 2; left -= 2) {
      insights.expects(policies(left));
      agent.run();
    }
    insights.expects(policies(2));
    return agent.run();
  }

  private boolean terminating(int policy) {
    return cluster
        .admin()
        .get("/apis/kyverno.io/v1/clusterpolicies/p-" + policy)
        .ok()
        .mapping("metadata")
        .field("deletionTimestamp")
        .isPresent();
  }

  private void finalizers(String name, String list) {
    patch(
        "clusterpolicies",
        name,
        "[{\"op\": \"add\", \"path\": \"/metadata/finalizers\", \"value\": " + list + "}]");
  }

  private static String policies(int count) {
    return Feeds.of(
        IntStream.range(0, count)
            .mapToObj(i -> clusterPolicy("p-" + i, "Audit"))
            .toArray(String[]::new));
  }
}
