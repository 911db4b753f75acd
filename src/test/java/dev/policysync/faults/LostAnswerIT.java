package dev.policysync.faults;

import static dev.policysync.harness.Feeds.clusterPolicy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.faults.Fault.LostAnswer;
import dev.policysync.faults.Fault.LostRequest;
import dev.policysync.faults.Fault.None;
import dev.policysync.harness.Feeds;
import dev.policysync.testcluster.Documents;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A write whose answer is lost: nobody knows whether it was done, so the agent looks before it
/// writes again; where it cannot, the next run does.
class LostAnswerIT extends FaultyEnvironment {
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aWriteWhoseAnswerIsLostIsVerifiedAtOnce(boolean done) {
    insights.expects(Feeds.of(clusterPolicy("stays", "Audit"), clusterPolicy("goes", "Audit")));
    agent.run();
    insights.expects(clusterPolicy("stays", "Enforce"));
    var log = cluster.auditLog();
    beforeCluster.becomes(once("PATCH", done ? new LostAnswer() : new LostRequest()));

    var run = agent.run();

    assertThat(beforeCluster.story()).hasSize(1);
    assertThat(run.exitCode()).as(run.all()).isZero();
    assertThat(changes(run))
        .containsExactly(
            "updated ClusterPolicy/stays changed", "removed ClusterPolicy/goes gone from feed");
    assertThat(log.writes()).filteredOn(entry -> entry.name().equals("stays")).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aRemovalWhoseAnswerIsLostIsVerifiedAtOnce(boolean done) {
    insights.expects(Feeds.of(clusterPolicy("stays", "Audit"), clusterPolicy("goes", "Audit")));
    agent.run();
    insights.expects(clusterPolicy("stays", "Audit"));
    beforeCluster.becomes(once("DELETE", done ? new LostAnswer() : new LostRequest()));

    var run = agent.run();

    assertThat(beforeCluster.story()).hasSize(1);
    assertThat(run.exitCode()).as(run.all()).isZero();
    assertThat(texts(run, "removed")).containsExactly("goes");
    assertThat(exists("clusterpolicies", "goes")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aLostAnswerIsAFailureThatTheNextRunClearsUp(boolean done) {
    insights.expects(Feeds.of(clusterPolicy("stays", "Audit"), clusterPolicy("goes", "Audit")));
    agent.run();
    insights.expects(clusterPolicy("stays", "Enforce"));
    var log = cluster.auditLog();
    beforeCluster.becomes(
        blindAfter("PATCH", "/stays", done ? new LostAnswer() : new LostRequest()));

    var lost = agent.run();
    beforeCluster.becomes(FaultSchedule.CALM);
    insights.forgetRequests();
    var next = agent.run();

    assertThat(lost.exitCode()).as(lost.all()).isEqualTo(1);
    assertThat(texts(lost, "failed")).containsExactly("stays");
    assertThat(reasons(lost).getFirst())
        .startsWith("PATCH https://127.0.0.1:")
        .endsWith(
            "/apis/kyverno.io/v1/clusterpolicies/stays failed: the connection was interrupted;"
                + " check that the API server is running and reachable");
    assertThat(policiesIn(lost, "notAttempted")).containsExactly("ClusterPolicy/goes");
    assertThat(next.exitCode()).as(next.all()).isZero();
    assertThat(texts(next, "updated")).isEqualTo(done ? List.of() : List.of("stays"));
    assertThat(texts(next, "removed")).containsExactly("goes");
    assertThat(log.writes()).filteredOn(entry -> entry.name().equals("stays")).hasSize(1);
    assertThat(named(statuses(), "stays").text("status")).contains("success");
  }

  @Test
  void aLeaseUpdateWhoseAnswerIsLostIsVerified() {
    insights.expects(clusterPolicy("stays", "Audit"));
    agent.run();
    insights.expects(clusterPolicy("stays", "Enforce"));
    beforeCluster.becomes(once("PUT", new LostAnswer()));

    var run = agent.run();

    assertThat(beforeCluster.story()).hasSize(1);
    assertThat(run.exitCode()).as(run.all()).isZero();
    assertThat(texts(run, "updated")).containsExactly("stays");
  }

  @Test
  void aRemovalWhoseAnswerIsLostIsReportedByTheNextRun() {
    insights.expects(Feeds.of(clusterPolicy("stays", "Audit"), clusterPolicy("goes", "Audit")));
    agent.run();
    insights.expects(clusterPolicy("stays", "Audit"));
    beforeCluster.becomes(blindAfter("DELETE", "/goes", new LostAnswer()));

    var lost = agent.run();
    beforeCluster.becomes(FaultSchedule.CALM);
    insights.forgetRequests();
    var next = agent.run();

    assertThat(texts(lost, "failed")).containsExactly("goes");
    assertThat(exists("clusterpolicies", "goes")).isFalse();
    assertThat(next.exitCode()).as(next.all()).isZero();
    assertThat(changes(next)).isEmpty();
    assertThat(named(statuses(), "goes").text("action")).contains("delete");
    assertThat(named(statuses(), "goes").text("status")).contains("success");
  }

  private static FaultSchedule once(String method, Fault fault) {
    var done = new AtomicBoolean();
    return asked ->
        asked.method().equals(method) && done.compareAndSet(false, true) ? fault : new None();
  }

  /// Loses every write by that method of what is named so, and every look at it afterwards.
  private static FaultSchedule blindAfter(String method, String name, Fault fault) {
    var written = new AtomicBoolean();
    return asked -> {
      if (!asked.path().endsWith(name)) {
        return new None();
      }
      if (asked.method().equals(method)) {
        written.set(true);
        return fault;
      }
      return written.get() && asked.reads() ? new LostRequest() : new None();
    };
  }

  private List<Value.Mapping> statuses() {
    return insights.statuses().stream().map(Documents::json).toList();
  }
}
