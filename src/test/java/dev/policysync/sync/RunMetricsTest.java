package dev.policysync.sync;

import static dev.policysync.plan.PlanFixtures.clusterPolicyId;
import static dev.policysync.plan.PlanFixtures.desired;
import static dev.policysync.plan.PlanFixtures.version;
import static dev.policysync.policy.PolicyFixtures.clusterPolicy;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.policysync.plan.Action;
import dev.policysync.plan.Guard;
import dev.policysync.plan.Plan;
import dev.policysync.plan.PlanDraft;
import dev.policysync.policy.Digest;
import dev.policysync.sync.execution.Outcome;
import dev.policysync.sync.execution.StopReason;
import dev.policysync.sync.execution.WriteMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class RunMetricsTest {
  private static final Digest FEED = Digest.of(new byte[] {1});
  private static final Instant NOW = Instant.parse("2026-11-22T18:00:00Z");

  @Test
  void tellsAllOfARunThatMadeAPlan() {
    var plan =
        new PlanDraft()
            .actions(
                List.of(
                    new Action.Create(desired(clusterPolicy("new"))),
                    update("drifted", Action.Cause.DRIFTED),
                    update("changed", Action.Cause.CHANGED)))
            .unchanged(List.of(clusterPolicyId("same"), clusterPolicyId("too")))
            .withhold(
                List.of(
                    new Plan.Withheld(clusterPolicyId("old"), Guard.OVER_BUDGET),
                    new Plan.Withheld(clusterPolicyId("strict"), Guard.ENFORCEMENT)))
            .conflicts(List.of(new Plan.Conflict(clusterPolicyId("taken"), "not ours")))
            .plan();
    var outcomes =
        plan.actions().stream()
            .map(action ->
                action.id().name().equals("changed")
                    ? new Outcome.NotAttempted(action, StopReason.DEADLINE)
                    : (Outcome) new Outcome.Done(action, List.of()))
            .toList();

    assertThat(
            text(
                new SyncResult.Finished(
                    plan,
                    outcomes,
                    FEED,
                    Map.of(),
                    Optional.of(new ApprovalInstructions(FEED, "kubectl annotate …")),
                    List.of())))
        .isEqualTo(
            """
            policysync_build_info{organization="acme",cluster="prod-1",version="1.2.3"} 1
            policysync_last_run_timestamp_seconds{organization="acme",cluster="prod-1"} 1795370400
            policysync_last_run_duration_seconds{organization="acme",cluster="prod-1"} 5.2
            policysync_last_run_status{organization="acme",cluster="prod-1",status="done"} 0
            policysync_last_run_status{organization="acme",cluster="prod-1",status="failed"} 1
            policysync_last_run_status{organization="acme",cluster="prod-1",status="withheld"} 0
            policysync_last_run_status{organization="acme",cluster="prod-1",status="stopped"} 0
            policysync_last_run_status{organization="acme",cluster="prod-1",status="skipped"} 0
            policysync_policies{organization="acme",cluster="prod-1",state="in_force"} 4
            policysync_policies{organization="acme",cluster="prod-1",state="not_in_force"} 0
            policysync_policies{organization="acme",cluster="prod-1",state="failed"} 0
            policysync_policies{organization="acme",cluster="prod-1",state="not_attempted"} 1
            policysync_policies{organization="acme",cluster="prod-1",state="waiting"} 0
            policysync_policies{organization="acme",cluster="prod-1",state="withheld"} 2
            policysync_policies{organization="acme",cluster="prod-1",state="conflict"} 1
            policysync_policies{organization="acme",cluster="prod-1",state="ignored"} 0
            policysync_policies{organization="acme",cluster="prod-1",state="terminating"} 0
            policysync_last_run_changes{organization="acme",cluster="prod-1",action="applied",cause="new"} 1
            policysync_last_run_changes{organization="acme",cluster="prod-1",action="updated",cause="changed"} 0
            policysync_last_run_changes{organization="acme",cluster="prod-1",action="updated",cause="drifted"} 1
            policysync_last_run_changes{organization="acme",cluster="prod-1",action="updated",cause="adopted"} 0
            policysync_last_run_changes{organization="acme",cluster="prod-1",action="removed",cause="gone_from_feed"} 0
            policysync_last_run_changes{organization="acme",cluster="prod-1",action="removed",cause="replaced"} 0
            policysync_withheld_removals{organization="acme",cluster="prod-1"} 1
            policysync_pending_approvals{organization="acme",cluster="prod-1",for="removals"} 1
            policysync_pending_approvals{organization="acme",cluster="prod-1",for="enforcement"} 0
            policysync_contested_policies{organization="acme",cluster="prod-1"} 0
            policysync_feed_info{organization="acme",cluster="prod-1",digest="%s"} 1
            """
                .formatted(FEED));
  }

  @Test
  void tellsASuccess() {
    assertThat(text(done()))
        .contains(
            "policysync_last_success_timestamp_seconds{organization=\"acme\",cluster=\"prod-1\"}"
                + " 1795370400\n",
            "status=\"done\"} 1\n");
  }

  /// A Lease that somebody renews for ever must not look like success.
  @Test
  void takesARunThatWasSkippedForNoSuccess() {
    assertThat(text(new SyncResult.Skipped("other", FEED, Optional.empty())))
        .contains("status=\"skipped\"} 1\n", "status=\"done\"} 0\n", "_feed_info{")
        .doesNotContain("last_success", "_policies{");
  }

  @ParameterizedTest
  @MethodSource
  void tellsNothingOfPoliciesThatItDidNotSee(SyncResult result) {
    assertThat(text(result)).doesNotContain("last_success", "_policies", "_changes", "_feed_info");
  }

  static Stream<SyncResult> tellsNothingOfPoliciesThatItDidNotSee() {
    return Stream.of(new SyncResult.Refused("GET …: returned 503", true), new SyncResult.Stopped());
  }

  @Test
  void escapesLabels() {
    var family = MetricFamily.info("policysync_x_info", "X.", "name", "a\"b\\c\nd");

    assertThat(new MetricsText(List.of(family), Map.of()).toString())
        .endsWith("policysync_x_info{name=\"a\\\"b\\\\c\\nd\"} 1\n");
  }

  /// What people build alerts on.
  @Test
  void namesAreThoseOfTheOperationsPage() throws IOException {
    var page = Files.readString(Path.of("docs/operations.md"));
    var table = page.substring(page.indexOf("## Metrics"));
    var names =
        RunMetrics.families(done(), summary(done()), "1.2.3", NOW).stream()
            .map(MetricFamily::name)
            .toList();

    assertThat(names).hasSize(11).allMatch(name -> table.contains("| `" + name));
    for (var state : PolicyState.values()) {
      assertThat(table).contains("`" + state.label() + "`");
    }
  }

  /// Otherwise Grafana gives it the next colour of its palette, which may be that of success.
  @ParameterizedTest
  @CsvSource({
    "policies, Policies by state",
    "last_run_status, Clusters by status of the last run",
    "last_run_changes, Changes by action and cause"
  })
  void haveEachAColourInTheDashboard(String metric, String title) throws IOException {
    var panel =
        new ObjectMapper()
            .readTree(Path.of("chart", "dashboards", "policy-sync.json").toFile())
            .path("panels")
            .valueStream()
            .filter(it -> it.path("title").asText().equals(title))
            .findFirst()
            .orElseThrow();
    var family =
        RunMetrics.families(done(), summary(done()), "1.2.3", NOW).stream()
            .filter(it -> it.name().equals("policysync_" + metric))
            .findFirst()
            .orElseThrow();

    assertThat(panel.path("fieldConfig").path("overrides").valueStream())
        .extracting(override -> override.path("matcher").path("options").asText())
        .containsExactlyInAnyOrderElementsOf(
            family.samples().stream()
                .map(sample -> String.join(": ", sample.labels().values()))
                .toList());
  }

  private static Action update(String name, Action.Cause cause) {
    return new Action.Update(
        desired(clusterPolicy(name)), version(clusterPolicyId(name)), cause, Set.of());
  }

  private static SyncResult done() {
    return new SyncResult.Finished(
        new PlanDraft().unchanged(List.of(clusterPolicyId("same"))).plan(),
        List.of(),
        FEED,
        Map.of(),
        Optional.empty(),
        List.of());
  }

  private static Summary summary(SyncResult result) {
    return Summary.of(result, WriteMode.LIVE, Duration.ofMillis(5_200), Instant.EPOCH);
  }

  private static String text(SyncResult result) {
    var where = new LinkedHashMap<String, String>();
    where.put("organization", "acme");
    where.put("cluster", "prod-1");
    var text = RunMetrics.of(result, summary(result), "1.2.3", NOW, where).toString();
    return text.replaceAll("(?m)^#.*\n", "");
  }
}
