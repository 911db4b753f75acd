package dev.policysync.survival;

import static dev.policysync.harness.Feeds.clusterPolicy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.endtoend.EndToEnd;
import dev.policysync.harness.Feeds;
import dev.policysync.testcluster.AgedLease;
import dev.policysync.testcluster.Documents;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Runs that are killed (SIGKILL) right before one of their writes gets through, for each write
/// there is: to the Lease, to a policy, to the remote API.
///
/// Each run starts with a Lease that the test's admin has made ten minutes older, as one by
/// schedule would find it. That it waits a minute for a Lease that is not so old, [FrozenAgentIT]
/// shows.
class KilledAgentIT extends EndToEnd {
  private static final String STAYS = clusterPolicy("stays", "Audit");

  /// From each of them to the other, one policy comes, one changes and one goes.
  private static final List<String> FEEDS =
      List.of(
          Feeds.of(STAYS, clusterPolicy("changes", "Audit"), clusterPolicy("even", "Audit")),
          Feeds.of(STAYS, clusterPolicy("changes", "Enforce"), clusterPolicy("odd", "Audit")));

  @Test
  void isHealedByTheNextRunWhereverItWasKilled() throws IOException {
    insights.expects(FEEDS.get(0));
    agent.run();
    var kills = 0;
    while (killedBefore(kills + 1)) {
      kills++;
      assertHealed(kills);
    }
    assertThat(kills).as("writes of a run: Lease, notes, policies, statuses").isGreaterThan(9);
  }

  /// Runs with the other feed.
  ///
  /// @return whether there were so many writes
  private boolean killedBefore(int write) throws IOException {
    // Never the same as one before: that would be an old feed, which is not written at once.
    insights.expects(FEEDS.get(write % 2) + "# before write " + write + "\n");
    insights.forgetRequests();
    tenMinutesPass();
    return Victim.before(write)
        .killed(
            cluster, insights, folder.resolve("victim-" + write), Map.of("MAX_REMOVALS", "100"));
  }

  /// A run that finds nothing left to write leaves a dead holder's name on the Lease.
  private void tenMinutesPass() {
    if (cluster.admin().get(LEASE).status() == 200) {
      AgedLease.age(cluster.admin(), LEASE, Duration.ofMinutes(10));
    }
  }

  private void assertHealed(int kill) {
    tenMinutesPass();

    var run = agent.with("LOCK_WAIT", "5s").with("MAX_REMOVALS", "100").run();

    var odd = kill % 2 == 1;
    assertThat(run.exitCode()).as("after kill %d: %s", kill, run.all()).isZero();
    assertThat(run.summary().field("skipped")).as("after kill %d", kill).isEmpty();
    assertThat(exists("clusterpolicies", "odd")).as("after kill %d", kill).isEqualTo(odd);
    assertThat(exists("clusterpolicies", "even")).as("after kill %d", kill).isEqualTo(!odd);
    assertThat(exists("clusterpolicies", "stays")).isTrue();
    assertThat(live("clusterpolicies", "changes").toString()).contains(odd ? "Enforce" : "Audit");
    assertThat(insights.statuses())
        .as("after kill %d", kill)
        .extracting(body -> Documents.json(body).text("policyName").orElse(""))
        .contains("odd", "even", "changes")
        .doesNotContain("stays");
  }
}
