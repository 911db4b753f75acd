package dev.policysync.testcluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@RealCluster
class TestClusterIT {
  private static final Value.Mapping CONFIG_MAP =
      Documents.yaml("{kind: ConfigMap, metadata: {name: kept}, data: {a: b}}");

  @Test
  void keepsItsObjectsWhileTheApiServerIsAway() {
    try (var cluster = TestCluster.startBare(ClusterAssets.find())) {
      cluster.admin().post("/api/v1/namespaces/default/configmaps", CONFIG_MAP).ok();

      cluster.stopApiServer();
      cluster.startApiServer();

      var kept = cluster.admin().get("/api/v1/namespaces/default/configmaps/kept").ok();
      assertThat(kept.mapping("data").text("a")).hasValue("b");
    }
  }

  @Test
  void leavesNoProcessAndNoDataBehind() {
    var before = serversOfThisJvm();
    var cluster = TestCluster.startBare(ClusterAssets.find());
    var folder = cluster.folder();
    var started = new ArrayList<>(serversOfThisJvm());
    started.removeAll(before);

    cluster.close();

    assertThat(started).hasSizeGreaterThanOrEqualTo(4).noneMatch(ProcessHandle::isAlive);
    assertThat(folder).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"KILL", "TERM", "INT"})
  void leavesNoProcessAndNoDataBehindWhenItsJvmIsStopped(String signal) throws Exception {
    var assets = ClusterAssets.find().folder().toString();
    // A shell's background job is born deaf to SIGINT, and so would be what it starts.
    var jvm =
        new ProcessBuilder(
                "env",
                "--default-signal=INT",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "-D" + ClusterAssets.PROPERTY + "=" + assets,
                RunsUntilKilled.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    Path folder;
    try (var output = jvm.inputReader()) {
      folder = Path.of(output.readLine());
    }
    var servers = jvm.descendants().toList();

    try {
      new ProcessBuilder("kill", "-" + signal, Long.toString(jvm.pid())).start().waitFor();

      assertThat(servers).hasSizeGreaterThanOrEqualTo(4);
      Awaitility.await("the servers to be gone and " + folder + " too")
          .atMost(TimeLimits.WAIT)
          .until(() -> servers.stream().noneMatch(ProcessHandle::isAlive) && !Files.exists(folder));
      assertThat(jvm.waitFor(TimeLimits.WAIT)).isTrue();
    } finally {
      jvm.destroyForcibly();
    }
  }

  @Test
  void givesEachTestNamespacesOfItsOwn(Sandbox sandbox) {
    var namespace = sandbox.namespace("shop");

    assertThat(namespace).startsWith("shop-").isEqualTo(sandbox.namespace("shop"));
    assertThat(sandbox.admin().get("/api/v1/namespaces/" + namespace).status()).isEqualTo(200);
  }

  @Test
  void tellsWhoAskedForWhatAndWhetherItWasMeant(Sandbox sandbox) {
    var namespace = sandbox.namespace("shop");
    var maps = "/api/v1/namespaces/" + namespace + "/configmaps";
    var stranger = sandbox.cluster().serviceAccountToken(namespace, "stranger");
    var log = sandbox.cluster().auditLog();

    sandbox.admin().post(maps + "?dryRun=All", CONFIG_MAP).ok();
    sandbox.admin().post(maps, CONFIG_MAP).ok();
    sandbox.admin().get(maps + "/kept").ok();
    sandbox.cluster().as(stranger).delete(maps + "/kept");

    var user = "system:serviceaccount:" + namespace + ":stranger";
    assertThat(log.entries())
        .containsExactly(
            entry("admin", "create", namespace, true, 201),
            entry("admin", "create", namespace, false, 201),
            entry("admin", "get", namespace, false, 200),
            entry(user, "delete", namespace, false, 403));
    assertThat(log.writes()).hasSize(2);
  }

  private static AuditLog.Entry entry(
      String user, String verb, String namespace, boolean dryRun, int status) {
    return new AuditLog.Entry(user, verb, "configmaps", namespace, "kept", dryRun, "test", status);
  }

  private static List<ProcessHandle> serversOfThisJvm() {
    return ProcessHandle.current().descendants().toList();
  }

  /// Starts a cluster, prints its folder, and waits for its end.
  static final class RunsUntilKilled {
    private RunsUntilKilled() {}

    static void main() throws InterruptedException {
      var cluster = TestCluster.startBare(ClusterAssets.find());
      System.out.println(cluster.folder());
      Thread.currentThread().join();
    }
  }
}
