package dev.policysync.install;

import static org.assertj.core.api.Assertions.assertThat;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.UpgradeCommand;
import dev.policysync.endtoend.EndToEnd;
import dev.policysync.harness.Feeds;
import dev.policysync.testcluster.KubeconfigFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Helm installs, upgrades and uninstalls releases of the chart on the real API server, as
/// docs/upgrade.md says.
class HelmLifecycleIT extends EndToEnd {
  private static final String NAME = "kyverno-policy-sync";
  private static final String IN = "insights-agent";
  private static final String OLD = "sha256:" + "0".repeat(64);
  private static final String NEW = "sha256:" + "1".repeat(64);
  private static final String LEASES =
      "/apis/coordination.k8s.io/v1/namespaces/" + IN + "/leases/kyverno-policy-sync-lock";

  private Path kubeconfig;
  private Path old;
  private Path fresh;

  @BeforeEach
  void releaseTwice() throws IOException {
    createNamespace(IN);
    kubeconfig = KubeconfigFile.ofAdmin(cluster).write(folder.resolve("kubeconfig"));
    uninstall();
    Manifests.of(Chart.rendered("minimal", IN)).delete(cluster.admin(), IN);
    old = Chart.copyTo(folder.resolve("old"));
    Chart.release(old, "0.0.9", OLD);
    // It knew nothing of what is new since.
    var values = old.resolve("values.yaml");
    var text = Files.readString(values);
    Files.writeString(
        values,
        text.replaceAll("(?ms)^source:\n.*?^# The CronJob kyverno", "# The CronJob kyverno")
            .replace("concurrency: 4", "concurrency: 2"));
    fresh = Chart.copyTo(folder.resolve("new"));
    Chart.release(fresh, "0.1.0", NEW);
  }

  @AfterEach
  void uninstall() {
    Helm.uninstall(NAME).ignoreNotFound().withNamespace(IN).withKubeConfig(kubeconfig).call();
    cluster.admin().delete(LEASES);
  }

  @Test
  void upgradesToTheImageOfTheNewRelease() throws IOException {
    install(old);
    assertThat(container().image()).endsWith(OLD);

    upgrade(fresh).resetThenReuseValues().call();

    assertThat(container().image()).endsWith(NEW);
    assertThat(container().variable("CONCURRENCY")).isEqualTo("4");
    assertThat(container().variable("LOG_LEVEL")).isEqualTo("debug");
  }

  /// What --reuse-values keeps is the old chart's defaults, too, but never its image.
  @Test
  void upgradesToItsImageEvenWhereAllOldValuesAreKept() throws IOException {
    install(old);

    upgrade(fresh).reuseValues().call();

    assertThat(container().image()).endsWith(NEW);
    assertThat(container().variable("CONCURRENCY")).isEqualTo("2");
  }

  @Test
  void goesBackToTheOldRelease() throws IOException {
    install(old);
    upgrade(fresh).resetThenReuseValues().call();

    upgrade(old).resetThenReuseValues().call();

    assertThat(container().image()).endsWith(OLD);
    assertThat(Helm.history(NAME).withNamespace(IN).withKubeConfig(kubeconfig).call()).hasSize(3);
  }

  @Test
  void leavesPoliciesAndTheLeaseWhenItGoes() throws IOException {
    install(fresh);
    insights.expects(Feeds.clusterPolicy("team-label", "Audit"));
    var first = agent.as(cluster.serviceAccountToken(IN, NAME)).with("NAMESPACE", IN).run();
    assertThat(first.exitCode()).as(first.all()).isZero();

    uninstall(NAME);

    assertThat(cluster.admin().get(CronJobContainer.PATH).status()).isEqualTo(404);
    assertThat(cluster.admin().get("/apis/kyverno.io/v1/clusterpolicies/team-label").status())
        .isEqualTo(200);
    assertThat(cluster.admin().get(LEASES).status()).isEqualTo(200);
  }

  private void uninstall(String name) {
    Helm.uninstall(name).withNamespace(IN).withKubeConfig(kubeconfig).call();
  }

  private void install(Path chart) {
    var release =
        new Helm(chart)
            .install()
            .withName(NAME)
            .withNamespace(IN)
            .withKubeConfig(kubeconfig)
            .set("insights.organization", "acme")
            .set("insights.cluster", "prod-1")
            .set("logLevel", "debug")
            .call();
    assertThat(release.getStatus()).isEqualTo("deployed");
  }

  private UpgradeCommand upgrade(Path chart) {
    return new Helm(chart).upgrade().withName(NAME).withNamespace(IN).withKubeConfig(kubeconfig);
  }

  private CronJobContainer container() {
    return CronJobContainer.in(cluster);
  }
}
