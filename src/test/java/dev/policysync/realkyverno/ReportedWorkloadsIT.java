package dev.policysync.realkyverno;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.testcluster.Kubectl;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/// What the agent finds in reports, and does with it.
class ReportedWorkloadsIT extends WithReports {
  @Test
  void areFoundAndNamedBeforeTheyAreBlocked() throws IOException {
    awaitFindings();

    var sent = agent.run("report");
    assertThat(sent.exitCode()).as(sent.all()).isZero();
    assertThat(insights.reports()).hasSize(1);
    assertThat(insights.reports().getFirst()).contains("has-team", "cart", "bare");

    insights.expects(feed("Enforce"));
    var preview = agent.run("diff");
    var held = agent.with("ENFORCE_GUARD", "hold").run();
    assertThat(preview.stdout())
        .contains(
            "rule has-team: Audit → Enforce", "2 workloads currently fail: " + namespace + " 2")
        .contains("Deployment/" + namespace + "/cart", "Pod/" + namespace + "/bare");
    assertThat(held.exitCode()).as(held.all()).isEqualTo(3);
    assertThat(policiesIn(held, "withheld")).containsExactly("ClusterPolicy/" + team);
    assertThat(tries("another").status()).as("held").isEqualTo(201);

    var command = held.summary().mapping("enforcementApproval").text("command").orElseThrow();
    Kubectl.of(cluster, folder.resolve("kubectl")).typed(command).ok();
    var approved = agent.run();

    assertThat(approved.exitCode()).as(approved.all()).isZero();
    assertThat(texts(approved, "updated")).containsExactly(team);
    await("a pod to be blocked", () -> tries("another").status() == 400);
    assertThat(tries("another").body().text("message").orElse("")).contains("set the label team");
  }
}
