package dev.policysync.install;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.endtoend.EndToEnd;
import dev.policysync.testcluster.KubeconfigFile;
import dev.policysync.testcluster.Kubectl;
import dev.policysync.testcluster.Preparation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The commands of README.md, docs/ownership.md and docs/upgrade.md, word by word, with helm itself
/// on the real API server: install, upgrade, history, rollback, uninstall; and those of kubectl
/// around them. Only the chart is from a folder instead of the registry.
class HelmCommandsIT extends EndToEnd {
  private static final String IN = "insights-agent";
  private static final String OLD = "sha256:" + "0".repeat(64);
  private static final String NEW = "sha256:" + "1".repeat(64);

  private Path helm;
  private Path kubeconfig;

  @BeforeEach
  void haveHelm() throws Exception {
    createNamespace(IN);
    helm = Preparation.printed("build", "helm").resolve("bin/helm");
    kubeconfig = KubeconfigFile.ofAdmin(cluster).write(folder.resolve("kubeconfig"));
    uninstall();
    Manifests.of(Chart.rendered("minimal", IN)).delete(cluster.admin(), IN);
  }

  @AfterEach
  void uninstall() throws Exception {
    run(List.of("uninstall", "kyverno-policy-sync", "--namespace=" + IN, "--ignore-not-found"));
  }

  @Test
  void installUpgradeRollbackAndUninstallAsTheDocsSay() throws Exception {
    var old = chart("old", "0.0.9", OLD);
    var fresh = chart("new", "0.1.0", NEW);

    run(command("README.md", "helm install ", old));
    assertThat(container().image()).endsWith(OLD);
    assertThat(dryRun()).isTrue();

    run(command("README.md", "helm upgrade ", old));
    assertThat(dryRun()).isFalse();

    run(command("docs/upgrade.md", "helm upgrade ", fresh));
    assertThat(container().image()).endsWith(NEW);
    assertThat(dryRun()).isTrue();

    var history = run(command("docs/upgrade.md", "helm history ", fresh));
    assertThat(history.lines()).hasSize(4);
    var rollback = new ArrayList<>(command("docs/upgrade.md", "helm rollback ", fresh));
    // The page goes back to the first revision.
    assertThat(rollback).contains("1");
    run(rollback);
    assertThat(container().image()).endsWith(OLD);
    assertThat(dryRun()).isTrue();

    run(command("docs/upgrade.md", "helm uninstall ", fresh));
    assertThat(cluster.admin().get(CronJobContainer.PATH).status()).isEqualTo(404);
  }

  @Test
  void kubectlDoesWhatTheReadmeSays() throws Exception {
    var kubectl = Kubectl.of(cluster, folder.resolve("kubectl"));
    var token = Files.writeString(folder.resolve("token"), "a-token").toString();
    // No namespace is ever gone in this cluster, and the one of the page is there already.
    var elsewhere = "readme-" + UUID.randomUUID();
    for (var begin : List.of("kubectl create namespace ", "kubectl create secret ")) {
      kubectl.typed(line("README.md", begin).replace(IN, elsewhere).replace("FILE", token)).ok();
    }
    run(command("README.md", "helm install ", chart("installed", "0.1.0", NEW)));
    kubectl.typed(line("README.md", "kubectl create job ").replace("\"$job\"", "now-1")).ok();
    kubectl.typed(line("docs/ownership.md", "kubectl get clusterpolicies")).ok();

    var secret = "/api/v1/namespaces/" + elsewhere + "/secrets/insights-token";
    assertThat(cluster.admin().get(secret).ok().mapping("data").text("token")).isPresent();
    var job = "/apis/batch/v1/namespaces/" + IN + "/jobs/now-1";
    var image =
        cluster
            .admin()
            .get(job)
            .ok()
            .mapping("spec")
            .mapping("template")
            .mapping("spec")
            .mappings("containers")
            .getFirst()
            .text("image");
    assertThat(image.orElseThrow()).endsWith(NEW);
    cluster.admin().delete(job);
  }

  private Path chart(String name, String version, String digest) throws IOException {
    var chart = Chart.copyTo(folder.resolve(name));
    Chart.release(chart, version, digest);
    return chart;
  }

  /// The words after `helm` of a page's command, with the chart of that folder.
  private static List<String> command(String page, String begin, Path chart) throws IOException {
    return List.of(line(page, begin).split("\\s+")).stream()
        .skip(1)
        .filter(word -> !word.startsWith("--version="))
        .map(word -> word.startsWith("oci://") ? chart.toString() : word)
        .toList();
  }

  private static String line(String page, String begin) throws IOException {
    return Files.readString(Path.of(page))
        .replace("\\\n", " ")
        .lines()
        .filter(each -> each.startsWith(begin))
        .findFirst()
        .orElseThrow(() -> new AssertionError(page + " has no command " + begin));
  }

  private String run(List<String> words) throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of(helm.toString()));
    command.addAll(words);
    var output = folder.resolve("helm.txt");
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().clear();
    builder.environment().put("HOME", folder.toString());
    builder.environment().put("KUBECONFIG", kubeconfig.toString());
    var status = builder.redirectOutput(output.toFile()).start().waitFor();
    var said = Files.readString(output);
    assertThat(status).as(command + ":\n" + said).isZero();
    return said;
  }

  private boolean dryRun() {
    var settings = "/api/v1/namespaces/" + IN + "/configmaps/kyverno-policy-sync";
    var pinned = cluster.admin().get(settings).ok().mapping("data").text("pinned");
    return pinned.orElseThrow().contains("DRY_RUN=true");
  }

  private CronJobContainer container() {
    return CronJobContainer.in(cluster);
  }
}
