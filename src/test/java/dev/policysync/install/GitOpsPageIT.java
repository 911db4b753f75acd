package dev.policysync.install;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.endtoend.EndToEnd;
import dev.policysync.harness.Feeds;
import dev.policysync.testcluster.Kubectl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// docs/gitops.md, walked through in both directions: the commands are the page's own, and another
/// tool applies as Flux does, server-side and by force.
class GitOpsPageIT extends EndToEnd {
  private static final Pattern COMMANDS = Pattern.compile("(?ms)^ *```sh\n(.*?)^ *```$");
  private static final String POLICY = "/apis/kyverno.io/v1/clusterpolicies/team-label";
  private static final String TOOL = "kustomize-controller";

  private Kubectl kubectl;
  private List<String> commands;

  @BeforeEach
  void read() throws IOException {
    kubectl = Kubectl.of(cluster, folder.resolve("home"));
    commands =
        COMMANDS
            .matcher(Files.readString(Path.of("docs", "gitops.md")))
            .results()
            .map(found -> found.group(1).replaceAll("(?m)^   ", ""))
            .toList();
  }

  @Test
  void handsAPolicyOverFromGitToTheFeed() throws Exception {
    var manifest = Feeds.clusterPolicy("team-label", "Audit");
    toolApplies(manifest);
    insights.expects(manifest);

    var conflict = agent.run();
    typed(commands.get(0));
    var adopted = agent.with("ADOPT", "identical").run();
    typed(commands.get(1));
    var next = agent.with("ADOPT", "never").run();

    assertThat(conflict.exitCode()).as(conflict.all()).isEqualTo(3);
    assertThat(conflict.summary().items("conflicts")).hasSize(1);
    assertThat(adopted.exitCode()).as(adopted.all()).isZero();
    assertThat(adopted.summary().texts("updated")).containsExactly("team-label");
    assertThat(next.exitCode()).as(next.all()).isZero();
    assertThat(next.summary().items("changes")).isEmpty();
    assertThat(cluster.admin().get(POLICY).ok().toString()).doesNotContain("fluxcd", "argoproj");
  }

  @Test
  void handsAPolicyOverFromTheFeedToGit() throws Exception {
    var manifest = Feeds.clusterPolicy("team-label", "Audit");
    insights.expects(Feeds.of(manifest, Feeds.clusterPolicy("other", "Audit")));
    agent.run();

    typed(commands.get(2));
    toolApplies(manifest);
    var conflict = agent.run();
    insights.expects(Feeds.clusterPolicy("other", "Audit"));
    var left = agent.run();
    var before = cluster.admin().get(POLICY).ok();
    typed(commands.get(3));
    var after = cluster.admin().get(POLICY).ok();
    toolApplies(manifest.replace("        message: set the label team\n", ""));

    assertThat(conflict.exitCode()).as(conflict.all()).isEqualTo(3);
    assertThat(left.exitCode()).as(left.all()).isZero();
    assertThat(left.summary().items("removed")).isEmpty();
    assertThat(after.mapping("spec")).isEqualTo(before.mapping("spec"));
    assertThat(before.toString()).contains("policysync.dev/applied");
    assertThat(after.toString()).doesNotContain("policysync.dev", "kyverno-policy-sync");
    // As a field goes that git drops, it is nobody else's.
    assertThat(before.toString()).contains("set the label team");
    assertThat(cluster.admin().get(POLICY).ok().mapping("spec").toString())
        .doesNotContain("set the label team");
  }

  private void toolApplies(String manifest) {
    cluster.admin().apply(POLICY + "?fieldManager=" + TOOL + "&force=true", manifest).ok();
  }

  private String typed(String script) throws Exception {
    var builder = kubectl.process();
    var program = Path.of(builder.command().getFirst()).toAbsolutePath();
    builder.command("bash", "-euo", "pipefail", "-c", script).directory(folder.toFile());
    builder.environment().put("PATH", program.getParent() + ":/usr/bin:/bin");
    builder.environment().put("policy", "clusterpolicy/team-label");
    var process = builder.redirectErrorStream(true).start();
    process.getOutputStream().close();
    var said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }
}
