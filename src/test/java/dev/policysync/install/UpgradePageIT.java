package dev.policysync.install;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.endtoend.EndToEnd;
import dev.policysync.harness.Feeds;
import dev.policysync.testcluster.Kubectl;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// How every managed policy is removed on purpose, by the words of docs/upgrade.md.
class UpgradePageIT extends EndToEnd {
  @Test
  void removesEveryManagedPolicyOnceThatIsApproved() throws Exception {
    insights.expects(
        Feeds.of(Feeds.clusterPolicy("a", "Audit"), Feeds.clusterPolicy("b", "Audit")));
    agent.run();
    var nothing = Files.writeString(folder.resolve("nothing.yaml"), "{}\n");
    var command =
        Files.readAllLines(Path.of("docs", "upgrade.md")).stream()
            .filter(line -> line.startsWith("policy-sync sync --from=nothing.yaml"))
            .findFirst()
            .orElseThrow()
            .replace("nothing.yaml", nothing.toString())
            .replace("insights-agent", "default");
    var words = command.substring("policy-sync ".length()).concat(" -o json").split(" ", -1);

    var withheld = agent.run(words);
    var approval = withheld.summary().mapping("approval").text("command").orElseThrow();
    Kubectl.of(cluster, folder.resolve("home")).typed(approval).ok();
    var done = agent.run(words);

    assertThat(withheld.exitCode()).as(withheld.all()).isEqualTo(3);
    assertThat(withheld.summary().items("removed")).isEmpty();
    assertThat(done.exitCode()).as(done.all()).isZero();
    assertThat(done.summary().texts("removed")).containsExactlyInAnyOrder("a", "b");
  }
}
