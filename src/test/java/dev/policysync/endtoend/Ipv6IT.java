package dev.policysync.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.harness.Agent;
import dev.policysync.harness.FakeInsights;
import dev.policysync.harness.Feeds;
import dev.policysync.testcluster.ClusterAssets;
import dev.policysync.testcluster.KubeconfigFile;
import dev.policysync.testcluster.TestCluster;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A cluster and an API that have no address but one of IPv6.
class Ipv6IT {
  private static TestCluster cluster;
  private static FakeInsights insights;

  @TempDir private Path folder;

  @BeforeAll
  static void start() {
    cluster = TestCluster.start(ClusterAssets.find(), "::1");
    insights = new FakeInsights("::1", "[::1]");
  }

  @AfterAll
  static void end() {
    insights.close();
    cluster.close();
  }

  @Test
  void syncsAsItDoesElsewhere() throws IOException {
    assertThat(cluster.url().toString()).startsWith("https://[::1]:");
    insights.expects(Feeds.clusterPolicy("team-label", "Audit"));
    var agent = new Agent(cluster, insights.environment(), folder.resolve("pod"));

    var first = agent.run();
    var second = agent.run();

    assertThat(first.exitCode()).as(first.all()).isZero();
    assertThat(first.summary().texts("applied")).containsExactly("team-label");
    assertThat(insights.statuses()).hasSize(1);
    assertThat(second.exitCode()).as(second.all()).isZero();
    assertThat(second.summary().texts("applied")).isEmpty();
  }

  @Test
  void readsAnAddressFromAKubeconfig() throws IOException {
    insights.expects(Feeds.clusterPolicy("team-label", "Audit"));
    var kubeconfig = KubeconfigFile.ofAdmin(cluster).write(folder.resolve("config"));
    var agent = new Agent(cluster, insights.environment(), folder.resolve("pod"));

    var run = agent.run("diff", "--kubeconfig=" + kubeconfig, "-o", "json");

    assertThat(run.exitCode()).as(run.all()).isZero();
  }

  @Test
  void goesPastAProxyForAnAddressThatNoProxyNames() throws IOException {
    insights.expects(Feeds.clusterPolicy("team-label", "Audit"));
    var agent =
        new Agent(cluster, insights.environment(), folder.resolve("pod"))
            .with("HTTP_PROXY", "http://[::1]:1")
            .with("NO_PROXY", "::1");

    var run = agent.run("diff", "-o", "json");

    assertThat(run.exitCode()).as(run.all()).isZero();
  }
}
