package dev.policysync.dashboard;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;

import dev.policysync.base.Value;
import dev.policysync.harness.Agent;
import dev.policysync.harness.FakeInsights;
import dev.policysync.testcluster.ClusterAssets;
import dev.policysync.testcluster.TestCluster;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// One cluster of the organization: a real API server, its feed, and the agent that syncs the two.
final class Member implements AutoCloseable {
  private static final String POLICIES = "/apis/kyverno.io/v1/clusterpolicies/";

  private static final List<String> EXAMPLES =
      List.of(
          "default-deny-network.yaml",
          "enforce-pod-security.yaml",
          "require-requests-and-versions.yaml",
          "restrict-exec.yaml",
          "restrict-image-registries.yaml",
          "restrict-ingress-hosts.yaml");

  private final String name;
  private final TestCluster cluster;
  private final FakeInsights insights = new FakeInsights();
  private final Agent agent;

  /// @param name `prod-1`
  Member(String name, Path below, URI gateway) throws IOException {
    this.name = name;
    this.cluster = TestCluster.start(ClusterAssets.find());
    this.agent =
        new Agent(cluster, insights.environment(), Files.createDirectory(below.resolve(name)))
            .with("FAIRWINDS_CLUSTER", name)
            .with("METRICS_PUSH_URL", gateway.toString());
    for (var namespace : List.of("shop", "platform")) {
      var metadata = new Value.Mapping(Map.of("name", new Value.Text(namespace)));
      cluster
          .admin()
          .post("/api/v1/namespaces", new Value.Mapping(Map.of("metadata", metadata)))
          .ok();
    }
    feeds(examplesWithout("no file"));
  }

  /// Its policies, but for those of one file; few, so that one more or less is seen.
  String examplesWithout(String file) throws IOException {
    var documents = new ArrayList<String>();
    for (var example : EXAMPLES) {
      if (!example.equals(file)) {
        documents.add(Files.readString(Path.of("examples", "policies", example)));
      }
    }
    return String.join("\n---\n", documents);
  }

  void feeds(String yaml) {
    insights.expects(yaml);
  }

  void refusesTheToken() {
    insights.answers(aResponse().withStatus(401));
  }

  /// Somebody sets a policy to Audit with kubectl.
  void isEdited() {
    patch(
        "restrict-exec",
        "[{\"op\": \"replace\", \"path\": \"/spec/rules/0/validate/failureAction\","
            + " \"value\": \"Audit\"}]");
  }

  /// Somebody has the agent leave a policy alone.
  void keepsItsOwn(String policy) {
    patch(
        policy,
        "[{\"op\": \"add\", \"path\": \"/metadata/annotations/policysync.dev~1reconcile\","
            + " \"value\": \"disabled\"}]");
  }

  /// Runs the agent to its end.
  void syncs() {
    System.out.println(name + ": exit code " + agent.run("sync", "-o", "text").exitCode());
  }

  private void patch(String policy, String operations) {
    cluster.admin().jsonPatch(POLICIES + policy + "?fieldManager=kubectl-edit", operations).ok();
  }

  @Override
  public void close() {
    insights.close();
    cluster.close();
  }
}
