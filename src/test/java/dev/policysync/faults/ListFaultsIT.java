package dev.policysync.faults;

import static dev.policysync.harness.Feeds.clusterPolicy;
import static dev.policysync.harness.Feeds.validatingPolicy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.faults.Fault.HalfAnswer;
import dev.policysync.faults.Fault.None;
import dev.policysync.faults.Fault.Refused;
import dev.policysync.harness.Feeds;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Lists of several pages that do not arrive whole. What a list lacks would be removed or created
/// anew, so one that is not known to be whole is none.
class ListFaultsIT extends FaultyEnvironment {
  private static final Fault EXPIRED =
      new Refused(410, Optional.empty(), "The provided continue parameter is too old");

  @BeforeEach
  void fourPoliciesAreThereAndTheFeedDropsOne() {
    insights.expects(
        Feeds.of(
            clusterPolicy("a", "Audit"),
            clusterPolicy("b", "Audit"),
            clusterPolicy("c", "Audit"),
            clusterPolicy("goes", "Audit")));
    assertThat(agent.run().exitCode()).isZero();
    insights.expects(
        Feeds.of(
            clusterPolicy("a", "Audit"),
            clusterPolicy("b", "Audit"),
            clusterPolicy("c", "Enforce"),
            validatingPolicy("d")));
  }

  @Test
  void aListThatExpiredOnceIsReadAnew() {
    beforeCluster.becomes(asked ->
        clusterPolicies(asked) && asked.continues() && asked.repetition() < 2
            ? EXPIRED
            : new None());

    var run = agent.run();

    assertThat(beforeCluster.story()).hasSize(1);
    assertThat(run.exitCode()).as(run.all()).isZero();
    assertThat(changes(run))
        .containsExactlyInAnyOrder(
            "updated ClusterPolicy/c changed",
            "applied ValidatingPolicy/d new",
            "removed ClusterPolicy/goes gone from feed");
  }

  @Test
  void aKindWhoseListExpiresTwiceIsLeftAlone() {
    beforeCluster.becomes(
        asked -> clusterPolicies(asked) && asked.continues() ? EXPIRED : new None());
    insights.forgetRequests();

    var run = agent.run();

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(changes(run)).containsExactly("applied ValidatingPolicy/d new");
    assertThat(run.summary().items("errors").toString())
        .contains(
            "this kind is not synced: list ClusterPolicy.kyverno.io: HTTP 410, The provided"
                + " continue parameter is too old; the list expired twice before its last page,"
                + " so the API server or its etcd is overloaded");
    assertThat(run.summary().items("errors")).hasSize(1);
    assertThat(insights.statuses().toString()).doesNotContain("ClusterPolicy");
    assertThat(exists("clusterpolicies", "goes")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aListThatBreaksOffIsNeverTakenForAShortOne(boolean chunked) {
    beforeCluster.becomes(asked -> clusterPolicies(asked) ? new HalfAnswer(chunked) : new None());

    var run = agent.run();

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(changes(run)).containsExactly("applied ValidatingPolicy/d new");
    assertThat(texts(run, "failed")).as("nothing is wrong with any of them").isEmpty();
    assertThat(run.summary().items("errors")).hasSize(1);
    assertThat(run.summary().items("errors").toString())
        .contains(
            "this kind is not synced: GET https://127.0.0.1:",
            "/apis/kyverno.io/v1/clusterpolicies failed: the connection was interrupted; check"
                + " that the API server is running and reachable");
    assertThat(exists("clusterpolicies", "goes")).isTrue();
  }

  @Test
  void aPageThatBreaksOffOnceIsAskedForAgain() {
    beforeCluster.becomes(asked ->
        clusterPolicies(asked) && asked.repetition() % 2 == 0 ? new HalfAnswer(true) : new None());

    var run = agent.run();

    assertThat(run.exitCode()).as(run.all()).isZero();
    assertThat(texts(run, "removed")).containsExactly("goes");
  }

  private static boolean clusterPolicies(FaultSchedule.Asked asked) {
    return asked.reads() && asked.path().equals("/apis/kyverno.io/v1/clusterpolicies");
  }
}
