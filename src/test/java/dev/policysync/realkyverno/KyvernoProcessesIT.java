package dev.policysync.realkyverno;

import static dev.policysync.harness.Feeds.clusterPolicy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.testcluster.ClusterAssets;
import dev.policysync.testcluster.Kyverno;
import dev.policysync.testcluster.KyvernoAssets;
import dev.policysync.testcluster.TestCluster;
import org.junit.jupiter.api.Test;

/// Kyverno beside the test cluster: it judges, and once it is closed nothing of it is in the way.
class KyvernoProcessesIT {
  private static final String POLICY =
      "/apis/kyverno.io/v1/clusterpolicies/team?fieldManager=test&dryRun=All";

  @Test
  void leaveNoWebhookNoProcessAndNoFile() {
    try (var cluster = TestCluster.start(ClusterAssets.find())) {
      var kyverno = Kyverno.start(cluster, KyvernoAssets.find());
      var refused =
          cluster.admin().apply(POLICY, clusterPolicy("team", "Audit").replace("Pod]", "\"*\"]"));
      var running = programs(kyverno.folder().toString());

      kyverno.close();

      assertThat(refused.status()).isEqualTo(400);
      assertThat(running).isEqualTo(Kyverno.Controller.values().length);
      assertThat(programs(kyverno.folder().toString())).isZero();
      assertThat(kyverno.folder()).doesNotExist();
      assertThat(cluster.admin().apply(POLICY, clusterPolicy("team", "Audit")).status())
          .isEqualTo(201);
    }
  }

  /// How many programs were started with a file in that folder.
  private static long programs(String folder) {
    return ProcessHandle.allProcesses()
        .filter(process ->
            process.info().command().filter(path -> path.contains("kyverno")).isPresent())
        .flatMap(process -> process.info().commandLine().stream())
        .filter(line -> line.contains(folder))
        .count();
  }
}
