package dev.policysync.install;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.marcnuri.helm.Helm;
import dev.policysync.endtoend.EndToEnd;
import dev.policysync.harness.Feeds;
import dev.policysync.testcluster.KubeconfigFile;
import dev.policysync.testcluster.Kubectl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// docs/migration.md, walked through from what the Go agent's chart leaves in a cluster: the
/// commands are the page's own.
class MigrationPageIT extends EndToEnd {
  private static final String NAMESPACE = "insights-agent";
  private static final Path PAGE = Path.of("docs", "migration.md");
  private static final Pattern COMMANDS = Pattern.compile("(?ms)^ *```sh\n(.*?)^ *```$");
  private static final Pattern SET = Pattern.compile("--set (\\S+)=(\\S+)");

  private Path kubeconfig;
  private Kubectl kubectl;
  private List<String> commands;

  @BeforeEach
  void haveWhatTheGoAgentsChartLeaves() throws IOException {
    createNamespace(NAMESPACE);
    kubeconfig = KubeconfigFile.ofAdmin(cluster).write(folder.resolve("kubeconfig"));
    uninstall();
    // What other tests left of the same names.
    Manifests.of(Chart.rendered("minimal", NAMESPACE)).delete(cluster.admin(), NAMESPACE);
    kubectl = Kubectl.of(cluster, folder.resolve("home"));
    kubectl.run("delete", "secret", "insights-token", "--namespace=" + NAMESPACE);
    apply(Files.readString(Path.of("src/test/resources/install/go-agent.yaml")));
    commands =
        COMMANDS
            .matcher(Files.readString(PAGE))
            .results()
            .map(found -> found.group(1).replaceAll("(?m)^   ", ""))
            .toList();
  }

  @AfterEach
  void uninstall() {
    Helm.uninstall("kyverno-policy-sync")
        .ignoreNotFound()
        .withNamespace(NAMESPACE)
        .withKubeConfig(kubeconfig)
        .call();
  }

  @Test
  void leadsFromTheGoAgentToThisOne() throws Exception {
    var owned =
        Feeds.clusterPolicy("team-label", "Audit")
            .replace(
                "annotations:\n",
                "annotations:\n    insights.fairwinds.com/owned-by: Fairwinds Insights\n");
    var namespaced =
        owned
            .replace("kind: ClusterPolicy", "kind: Policy")
            .replace("name: team-label", "name: team-label\n  namespace: " + namespace);
    apply(owned + "---\n" + namespaced);
    insights.expects(Feeds.of(owned, namespaced));
    kubectl
        .run(
            "create",
            "job",
            "of-the-go-agent",
            "--from=cronjob/kyverno-policy-sync",
            "--namespace=" + NAMESPACE)
        .ok();

    assertThat(typed(commands.get(0)))
        .contains("ClusterPolicy/team-label\n", "Policy/" + namespace + "/team-label\n");
    assertThat(typed(commands.get(1))).contains("patched", "of-the-go-agent");
    assertThat(typed(commands.get(2))).contains("secret/insights-token created");
    assertThat(tokenOf("insights-token")).isEqualTo(tokenOf("insights-agent-token"));
    // What an upgrade of the Go agent's chart takes away.
    for (var object :
        List.of(
            "cronjob/kyverno-policy-sync", "serviceaccount/insights-agent-kyverno-policy-sync")) {
      kubectl.run("delete", object, "--namespace=" + NAMESPACE).ok();
    }
    var values =
        Files.writeString(
            folder.resolve("values.yaml"),
            "{insights: {organization: acme, cluster: prod-1}, report: {enabled: true}}");
    install(commands.get(3), values);

    var account = cluster.serviceAccountToken(NAMESPACE, "kyverno-policy-sync");
    var preview = agent.as(account).with("NAMESPACE", NAMESPACE).with("DRY_RUN", "true").run();
    upgrade(commands.get(4), values);
    var first = agent.as(account).with("NAMESPACE", NAMESPACE).with("DRY_RUN", "false").run();

    assertThat(preview.exitCode()).as(preview.all()).isZero();
    assertThat(preview.summary().items("changes").toString()).contains("adopted");
    assertThat(first.exitCode()).as(first.all()).isZero();
    assertThat(first.summary().items("updated")).hasSize(2);
  }

  /// Helm is a library here: it installs the chart of this checkout with the page's values.
  private void install(String text, Path values) {
    assertThat(text)
        .contains(
            "helm install kyverno-policy-sync oci://",
            "--values=values.yaml",
            "create job \"$job\"");
    var install =
        new Helm(Chart.FOLDER)
            .install()
            .withName("kyverno-policy-sync")
            .withNamespace(NAMESPACE)
            .withKubeConfig(kubeconfig)
            .withValuesFile(values);
    SET.matcher(text).results().forEach(set -> install.set(set.group(1), set.group(2)));
    assertThat(install.call().getStatus()).isEqualTo("deployed");
  }

  private void upgrade(String text, Path values) {
    assertThat(text)
        .contains("helm upgrade kyverno-policy-sync oci://", "--values=values.yaml")
        .doesNotContain("dryRun");
    var upgrade =
        new Helm(Chart.FOLDER)
            .upgrade()
            .withName("kyverno-policy-sync")
            .withNamespace(NAMESPACE)
            .withKubeConfig(kubeconfig)
            .withValuesFile(values);
    SET.matcher(text).results().forEach(set -> upgrade.set(set.group(1), set.group(2)));
    assertThat(upgrade.call().getStatus()).isEqualTo("deployed");
  }

  private String tokenOf(String secret) {
    return cluster
        .admin()
        .get("/api/v1/namespaces/" + NAMESPACE + "/secrets/" + secret)
        .ok()
        .mapping("data")
        .text("token")
        .orElseThrow();
  }

  private void apply(String manifests) throws IOException {
    var file = Files.writeString(folder.resolve("manifests.yaml"), manifests);
    kubectl.run("apply", "--filename=" + file).ok();
  }

  /// Runs it in a shell, as who reads the page does.
  private String typed(String script) throws Exception {
    var builder = kubectl.process();
    var program = Path.of(builder.command().getFirst()).toAbsolutePath();
    builder.command("bash", "-euo", "pipefail", "-c", script);
    builder.environment().put("PATH", program.getParent() + ":/usr/bin:/bin");
    var process = builder.redirectErrorStream(true).start();
    var said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }
}
