package dev.policysync.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.CanonicalJson;
import dev.policysync.base.Value;
import dev.policysync.harness.Feeds;
import dev.policysync.policy.PolicyKind;
import dev.policysync.remote.cluster.lease.LeaseRunStateStore;
import dev.policysync.testcluster.AuditLog;
import dev.policysync.testcluster.Documents;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// At which version policies are applied, as Kyverno is upgraded or goes back: the best one that is
/// served, whatever the feed says, and always v1 for ClusterPolicy and Policy.
class VersionChoiceIT extends EndToEnd {
  private static final String KIND = "validatingpolicies.policies.kyverno.io";

  @AfterEach
  void serveAllVersionsAgain() {
    serve(PolicyKind.VALIDATING_POLICY.versions());
  }

  @Test
  void followsAnUpgradeOfKyvernoByOneUpdateEach() {
    insights.expects(validatingPolicy("v1"));

    serve(List.of("v1alpha1"));
    assertThat(changes(agent.run())).containsExactly("applied ValidatingPolicy/moves new");
    assertAppliedAt("v1alpha1");
    assertInSync();

    serve(List.of("v1beta1", "v1alpha1"));
    letAnHourPass();
    assertMovesTo("v1beta1");
    assertInSync();

    serve(List.of("v1", "v1beta1", "v1alpha1"));
    letAnHourPass();
    assertMovesTo("v1");
    assertInSync();
  }

  @Test
  void goesBackWithKyverno() {
    insights.expects(validatingPolicy("v1"));
    agent.run();

    serve(List.of("v1alpha1"));

    assertMovesTo("v1alpha1");
    assertInSync();
  }

  @Test
  void takesAnotherVersionThanTheFeedsWhereThatIsNotServed() {
    serve(List.of("v1", "v1beta1"));
    insights.expects(validatingPolicy("v1alpha1"));

    var run = agent.run();

    assertThat(changes(run)).containsExactly("applied ValidatingPolicy/moves new");
    assertAppliedAt("v1");
    assertInSync();
  }

  @Test
  void appliesAClusterPolicyAndAPolicyOfV2beta1AtV1() {
    insights.expects(
        Feeds.of(Feeds.clusterPolicy("old", "Audit"), Feeds.policy(namespace, "old"))
            .replace("kyverno.io/v1", "kyverno.io/v2beta1"));

    var run = agent.run();

    assertThat(texts(run, "applied")).containsExactly("old", "old");
    assertThat(applied(live("clusterpolicies", "old"))).containsExactly("kyverno.io/v1");
    var inNamespace = "/apis/kyverno.io/v1/namespaces/" + namespace + "/policies/old";
    assertThat(applied(cluster.admin().get(inNamespace).ok())).containsExactly("kyverno.io/v1");
    assertInSync();
  }

  /// Which versions are served is asked for again an hour after feed and cluster agreed.
  private void letAnHourPass() {
    var state =
        Documents.json(
            cluster
                .admin()
                .get(LEASE)
                .ok()
                .mapping("metadata")
                .mapping("annotations")
                .text(LeaseRunStateStore.MEMORY)
                .orElseThrow());
    var before = Instant.now().minus(Duration.ofHours(1)).truncatedTo(ChronoUnit.SECONDS);
    var agreement = state.mapping("agreement").with("at", before.toString());
    var annotations =
        Value.Mapping.EMPTY.with(
            LeaseRunStateStore.MEMORY, CanonicalJson.write(state.with("agreement", agreement)));
    var metadata = Value.Mapping.EMPTY.with("annotations", annotations);
    cluster.admin().merge(LEASE, Value.Mapping.EMPTY.with("metadata", metadata)).ok();
  }

  private void assertMovesTo(String version) {
    var log = cluster.auditLog();

    var run = agent.run();

    assertThat(changes(run)).containsExactly("updated ValidatingPolicy/moves changed");
    assertThat(log.writes())
        .filteredOn(entry -> entry.resource().equals(KIND))
        .extracting(AuditLog.Entry::verb)
        .containsExactly("patch");
    assertAppliedAt(version);
  }

  private void assertAppliedAt(String version) {
    var path = "/apis/policies.kyverno.io/" + version + "/validatingpolicies/moves";
    assertThat(applied(cluster.admin().get(path).ok()))
        .containsExactly("policies.kyverno.io/" + version);
  }

  private void assertInSync() {
    var log = cluster.auditLog();

    var run = agent.run();

    assertThat(run.exitCode()).as(run.all()).isZero();
    assertThat(changes(run)).isEmpty();
    assertThat(log.writes()).isEmpty();
  }

  private void serve(List<String> versions) {
    cluster.serve(KIND, Set.copyOf(versions));
  }

  /// At which versions the agent owns fields of an object.
  private static List<String> applied(Value.Mapping object) {
    return object.mapping("metadata").items("managedFields").stream()
        .map(Value.Mapping.class::cast)
        .map(entry -> entry.text("manager").orElse("") + " " + entry.text("apiVersion").orElse(""))
        .filter(entry -> entry.startsWith("kyverno-policy-sync "))
        .map(entry -> entry.split(" ", 2)[1])
        .toList();
  }

  private static String validatingPolicy(String version) {
    return Feeds.validatingPolicy("moves")
        .replace("policies.kyverno.io/v1alpha1", "policies.kyverno.io/" + version);
  }
}
