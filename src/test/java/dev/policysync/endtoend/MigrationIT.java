package dev.policysync.endtoend;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.harness.Feeds;
import dev.policysync.policy.PolicyId;
import dev.policysync.testcluster.AuditLog;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.Kubectl;
import dev.policysync.testcluster.RawApi;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The first runs in a cluster whose policies came by kubectl: from the Go agent, which called
/// `kubectl apply` for each of them, from people, and in ways in which the managed fields got lost.
/// No policy is away or rewritten for a moment, and what the feed drops later is gone.
public class MigrationIT extends EndToEnd {
  private Kubectl kubectl;
  private List<String> policies;

  @BeforeEach
  void havePolicies() throws IOException {
    kubectl = Kubectl.of(cluster, folder.resolve("kubectl"));
    policies = OldPolicies.of(namespace);
  }

  @Test
  void takesOverWhatTheGoAgentLeftWithoutAGapOrARewrite() throws IOException {
    apply(policies);
    var before = seen(policies);
    feed(policies);
    var log = cluster.auditLog();

    var run = agent.run();

    assertThat(run.exitCode()).as(run.all()).isZero();
    assertThat(changes(run))
        .containsExactlyInAnyOrder(
            "updated PolicyException.kyverno.io/" + namespace + "/legacy adopted",
            "updated ClusterPolicy/team adopted",
            "updated Policy/" + namespace + "/team adopted",
            "updated ValidatingPolicy/no-host-network adopted",
            "updated CleanupPolicy/" + namespace + "/old-previews adopted");
    assertNoGapOrRewrite(before, log);
    assertWhollyOurs(policies);
  }

  @Test
  void writesNothingInTheRunAfterTheTakeOver() throws IOException {
    apply(policies);
    feed(policies);
    agent.run();
    var log = cluster.auditLog();

    var run = agent.run();

    assertThat(run.exitCode()).as(run.all()).isZero();
    assertThat(run.summary().fields()).containsEntry("unchanged", Value.Numeric.of(5));
    assertThat(log.writes()).isEmpty();
  }

  @Test
  void removesWhatTheFeedDropsAfterTheTakeOver() throws IOException {
    apply(policies);
    feed(policies);
    agent.run();

    assertDroppedFieldsGo(policies);
  }

  @Test
  void removesWhatTheGoAgentLeftAndTheFeedNoLongerHas() throws IOException {
    apply(policies);
    apply(List.of(OldPolicies.clusterPolicy("left-over")));
    feed(policies);

    var run = agent.run();

    assertThat(run.exitCode()).as(run.all()).isZero();
    assertThat(texts(run, "removed")).containsExactly("left-over");
    assertThat(exists("clusterpolicies", "left-over")).isFalse();
  }

  /// `kubectl` puts such a policy into the namespace of its pod.
  @Test
  void takesOverAPolicyWithoutNamespaceWhereTheGoAgentPutIt() throws IOException {
    var written = OldPolicies.of(namespace).get(1);
    apply(List.of(written));
    apply(List.of(OldPolicies.clusterPolicy("left-over")));
    var before = seen(List.of(written));
    feed(List.of(written.replace("  namespace: " + namespace + "\n", "")));

    var run = agent.with("NAMESPACE", namespace).run();
    cluster.admin().delete(LEASE.replace("/default/", "/" + namespace + "/"));

    assertThat(run.exitCode()).as(run.all()).isZero();
    assertThat(changes(run)).contains("updated Policy/" + namespace + "/team adopted");
    assertThat(texts(run, "removed")).containsExactly("left-over");
    assertThat(texts(run, "warnings"))
        .contains(
            "Policy/"
                + namespace
                + "/team: the feed names no namespace, so the policy is applied to the agent's own,"
                + " as the Go agent did; set metadata.namespace in the feed");
    assertThat(seen(before.keySet().stream())).isEqualTo(before);
  }

  @Test
  void takesOverWhatSomebodyAppliedOnTheServersSideWhenToldTo() throws IOException {
    var unmarked = policies.stream().map(OldPolicies::unmarked).toList();
    apply(unmarked, "--server-side");
    var before = seen(unmarked);
    feed(unmarked);
    var untold = agent.run();
    var log = cluster.auditLog();

    var run = agent.with("ADOPT", "always").run();

    assertThat(policiesIn(untold, "conflicts")).hasSize(5);
    assertThat(run.exitCode()).as(run.all()).isZero();
    assertThat(changes(run)).hasSize(5).allMatch(change -> change.endsWith(" adopted"));
    assertNoGapOrRewrite(before, log);
    assertWhollyOurs(unmarked);
    assertDroppedFieldsGo(unmarked);
  }

  @Test
  void takesOverWhatLostItsManagedFieldsAndWasAppliedByAnotherToolSince() throws IOException {
    var policy = List.of(OldPolicies.clusterPolicy("team"));
    kubectl("create", policy.getFirst());
    patch(
        "clusterpolicies",
        "team",
        "[{\"op\": \"replace\", \"path\": \"/metadata/managedFields\", \"value\": [{}]}]");
    writeStatus("team");
    apply(policy, "--server-side", "--force-conflicts", "--field-manager=another-tool");
    var owners = owners(live("clusterpolicies", "team"));
    var before = seen(policy);
    feed(policy);
    var log = cluster.auditLog();

    var run = agent.run();

    assertThat(owners).contains("before-first-apply", "another-tool");
    assertThat(changes(run)).as(run.all()).containsExactly("updated ClusterPolicy/team adopted");
    assertNoGapOrRewrite(before, log);
    assertWhollyOurs(policy);
    assertDroppedFieldsGo(policy);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void takesOverWhatKubectlAppliedAtV2beta1(boolean kyvernoReported) throws IOException {
    var policy = List.of(OldPolicies.atV2beta1(OldPolicies.clusterPolicy("team")));
    apply(policy);
    if (kyvernoReported) {
      writeStatus("team");
    }
    var before = seen(policy);
    feed(policy);
    var log = cluster.auditLog();

    var run = agent.run();

    assertThat(changes(run)).as(run.all()).containsExactly("updated ClusterPolicy/team adopted");
    assertNoGapOrRewrite(before, log);
    assertWhollyOurs(policy);
    assertThat(changes(agent.run())).isEmpty();
    assertDroppedFieldsGo(policy);
  }

  /// As the Go agent did it: one call of kubectl for each policy.
  private void apply(List<String> manifests, String... options) throws IOException {
    for (var manifest : manifests) {
      kubectl("apply", manifest, options);
    }
  }

  private void kubectl(String command, String manifest, String... options) throws IOException {
    var file = Files.writeString(Files.createTempFile(folder, "policy", ".yaml"), manifest);
    var arguments = new ArrayList<>(List.of(command, "-f", file.toString()));
    arguments.addAll(List.of(options));
    kubectl.run(arguments.toArray(String[]::new)).ok();
  }

  private void feed(List<String> manifests) {
    insights.expects(Feeds.of(manifests.toArray(String[]::new)));
  }

  /// As Kyverno does soon after a policy appears, always at v1.
  protected void writeStatus(String name) {
    var status = "{status: {rulecount: {validate: 1, mutate: 0, generate: 0, verifyimages: 0}}}";
    var path = "/apis/kyverno.io/v1/clusterpolicies/" + name + "/status?fieldManager=kyverno";
    cluster.admin().merge(path, Documents.yaml(status)).ok();
  }

  /// What a take-over leaves as it is.
  private record Seen(Value uid, Value generation, Value.Mapping spec) {}

  private Map<PolicyId, Seen> seen(List<String> manifests) {
    return seen(manifests.stream().map(manifest -> Documents.policy(manifest).id()));
  }

  private Map<PolicyId, Seen> seen(Stream<PolicyId> policies) {
    return policies.collect(
        toMap(
            id -> id,
            id -> {
              var object = live(id);
              var metadata = object.mapping("metadata");
              return new Seen(
                  metadata.field("uid").orElseThrow(),
                  metadata.field("generation").orElseThrow(),
                  object.mapping("spec"));
            }));
  }

  private void assertNoGapOrRewrite(Map<PolicyId, Seen> before, AuditLog log) {
    assertThat(seen(before.keySet().stream())).isEqualTo(before);
    assertThat(log.writes().stream().filter(write -> write.resource().contains("kyverno.io")))
        .isNotEmpty()
        .allSatisfy(write -> {
          assertThat(write.verb()).isEqualTo("patch");
          assertThat(write.status()).isNotEqualTo(201);
        });
  }

  private void assertWhollyOurs(List<String> manifests) {
    for (var manifest : manifests) {
      var object = live(Documents.policy(manifest).id());
      assertThat(owners(object)).as(manifest).containsExactly("kyverno-policy-sync");
      assertThat(object.mapping("metadata").mapping("annotations").fields())
          .containsKey("policies.kyverno.io/title")
          .doesNotContainKey("kubectl.kubernetes.io/last-applied-configuration");
    }
  }

  private void assertDroppedFieldsGo(List<String> manifests) {
    var shortened = manifests.stream().map(OldPolicies::shortened).toList();
    feed(shortened);

    var run = agent.run();

    assertThat(changes(run))
        .as(run.all())
        .hasSameSizeAs(manifests)
        .allMatch(change -> change.endsWith(" changed"));
    for (var manifest : shortened) {
      var object = live(Documents.policy(manifest).id());
      var metadata = object.mapping("metadata");
      assertThat(metadata.mapping("labels").fields()).containsOnlyKeys("policysync.dev/managed");
      assertThat(metadata.mapping("annotations").fields())
          .containsOnlyKeys(
              "insights.fairwinds.com/owned-by",
              "policysync.dev/applied",
              "policysync.dev/source",
              "policies.kyverno.io/severity");
      assertThat(object.mapping("spec")).as(manifest).isEqualTo(newlyCreated(manifest));
    }
  }

  /// The spec that a policy has where nothing was before it.
  private Value.Mapping newlyCreated(String manifest) {
    var policy = Documents.policy(manifest);
    var version = version(policy.id());
    var object =
        policy
            .content()
            .with("apiVersion", policy.id().kind().group() + "/" + version)
            .with("metadata", Value.Mapping.EMPTY.with("name", "another-" + policy.id().name()));
    var path = RawApi.collection(policy.id(), version) + "?dryRun=All";
    return cluster.admin().post(path, object).ok().mapping("spec");
  }

  /// Everybody who owns a field outside of the status.
  private static List<String> owners(Value.Mapping object) {
    return object.mapping("metadata").items("managedFields").stream()
        .map(Value.Mapping.class::cast)
        .filter(entry -> entry.text("subresource").isEmpty())
        .map(entry -> entry.text("manager").orElseThrow())
        .toList();
  }

  private Value.Mapping live(PolicyId id) {
    return cluster.admin().get(RawApi.path(id, version(id))).ok();
  }

  private static String version(PolicyId id) {
    return id.kind().versions().getFirst();
  }
}
