package dev.policysync.endtoend;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static dev.policysync.harness.Feeds.clusterPolicy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.harness.FakeInsights;
import dev.policysync.harness.Feeds;
import dev.policysync.testcluster.Documents;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the remote API and the cluster's Events are told: what a run saw, and nothing else (promise
/// 12).
class StatusesIT extends EndToEnd {
  private static final String STAYS = clusterPolicy("stays", "Audit");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "policysync.dev~1reconcile disabled",
        "insights.fairwinds.com~1owned-by somebody",
        "policysync.dev~1source acme/prod-2"
      })
  void neverCallsRemovedWhatIsThere(String annotation) {
    failsOnce("paused");
    var change = annotation.split(" ", 2);
    patch(
        "clusterpolicies",
        "paused",
        "[{\"op\": \"add\", \"path\": \"/metadata/annotations/%s\", \"value\": \"%s\"}]"
            .formatted(change[0], change[1]));

    leavesTheFeed();
  }

  @Test
  void neverCallsRemovedWhatWaitsForAFinalizer() {
    failsOnce("paused");
    patch(
        "clusterpolicies",
        "paused",
        "[{\"op\": \"add\", \"path\": \"/metadata/finalizers\", \"value\":"
            + " [\"people.example/x\"]}]");
    insights.expects(STAYS);
    agent.run();
    insights.forgetRequests();

    agent.run();

    assertThat(insights.statuses()).isEmpty();

    patch(
        "clusterpolicies", "paused", "[{\"op\": \"remove\", \"path\": \"/metadata/finalizers\"}]");
    agent.run();

    assertThat(told()).containsExactly("paused delete success");
  }

  @Test
  void neverCallsRemovedWhatIsOfAnExcludedKind() {
    failsOnce("paused");
    agent.with("EXCLUDE_KINDS", "ClusterPolicy");
    insights.expects("{}");
    insights.forgetRequests();

    agent.run();

    assertThat(exists("clusterpolicies", "paused")).isTrue();
    assertThat(insights.statuses()).isEmpty();
  }

  @Test
  void tellsOfAConflictOnceByStatusAndEvent() {
    create("clusterpolicies", clusterPolicy("taken", "Enforce"));
    insights.expects(Feeds.of(clusterPolicy("taken", "Audit"), STAYS));

    var first = agent.run();
    var conflict = status("taken");
    insights.forgetRequests();
    agent.run();
    audit = cluster.auditLog();
    var third = agent.run();

    assertThat(first.exitCode()).isEqualTo(3);
    assertThat(conflict.text("status")).contains("failed");
    assertThat(conflict.text("action")).contains("apply");
    assertThat(conflict.text("policyBody").orElseThrow()).contains("name: taken");
    assertThat(conflict.text("output").orElseThrow())
        .startsWith("ClusterPolicy/taken: an object of this name exists and is not managed by");
    assertThat(third.exitCode()).isEqualTo(3);
    assertThat(insights.statuses()).isEmpty();
    assertThat(audit.writes()).isEmpty();
    assertThat(events("PolicyConflict"))
        .singleElement()
        .satisfies(event -> {
          assertThat(event.text("type")).contains("Warning");
          assertThat(event.mapping("related").text("name")).contains("taken");
          assertThat(event.text("note").orElseThrow()).contains("set ADOPT=always");
        });
  }

  @Test
  void tellsNoOtherClusterWhatWasLeftToTell() {
    insights.expects(Feeds.of(STAYS, clusterPolicy("team", "Audit")));
    insights.answersStatuses(aResponse().withStatus(500));
    agent.run();
    insights.answersStatuses(aResponse().withStatus(200));
    insights.forgetRequests();

    agent.with("FAIRWINDS_CLUSTER", "prod-2").run();

    assertThat(told()).containsExactlyInAnyOrder("stays apply failed", "team apply failed");
    assertThat(status("team").text("output").orElseThrow())
        .contains("it was applied by another source, acme/prod-1; set ADOPT=always");
    assertThat(statusPaths()).containsOnly("/v0/organizations/acme/clusters/prod-2/");

    insights.forgetRequests();
    var back = agent.with("FAIRWINDS_CLUSTER", "prod-1").run();

    assertThat(back.exitCode()).isZero();
    assertThat(told()).containsExactlyInAnyOrder("stays apply success", "team apply success");
    assertThat(statusPaths()).containsOnly("/v0/organizations/acme/clusters/prod-1/");
  }

  /// Its update is refused: that is the last that the API knows of it.
  private void failsOnce(String name) {
    insights.expects(Feeds.of(STAYS, clusterPolicy(name, "Audit")));
    agent.run();
    insights.expects(
        Feeds.of(
            STAYS, clusterPolicy(name, "Audit").replace("spec:\n", "spec:\n  noSuchField: 1\n")));
    agent.run();
    assertThat(told()).endsWith(name + " apply failed");
  }

  private void leavesTheFeed() {
    insights.expects(STAYS);
    insights.forgetRequests();

    agent.run();
    agent.run();

    assertThat(exists("clusterpolicies", "paused")).isTrue();
    assertThat(insights.statuses()).isEmpty();
  }

  private List<String> told() {
    return insights.statuses().stream()
        .map(Documents::json)
        .map(status ->
            status.text("policyName").orElseThrow()
                + " "
                + status.text("action").orElseThrow()
                + " "
                + status.text("status").orElseThrow())
        .toList();
  }

  private Value.Mapping status(String name) {
    return named(insights.statuses().stream().map(Documents::json).toList(), name);
  }

  private List<String> statusPaths() {
    return insights.requests().stream()
        .map(FakeInsights.Received::path)
        .filter(path -> path.endsWith("policies/apply-status"))
        .map(path -> path.replace("policies/apply-status", ""))
        .toList();
  }

  private List<Value.Mapping> events(String reason) {
    return cluster
        .admin()
        .get("/apis/events.k8s.io/v1/namespaces/default/events")
        .ok()
        .mappings("items")
        .stream()
        .filter(event -> event.text("reason").orElse("").equals(reason))
        .filter(event -> event.mapping("related").text("name").orElse("").equals("taken"))
        .toList();
  }
}
