package dev.policysync.sync;

import static dev.policysync.plan.PlanFixtures.SOURCE;
import static dev.policysync.plan.PlanFixtures.clusterPolicyId;
import static dev.policysync.plan.PlanFixtures.desired;
import static dev.policysync.plan.PlanFixtures.version;
import static dev.policysync.policy.PolicyFixtures.clusterPolicy;
import static dev.policysync.policy.PolicyFixtures.feed;
import static dev.policysync.policy.PolicyFixtures.policy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.plan.Action;
import dev.policysync.plan.Failure;
import dev.policysync.plan.ListedPolicies;
import dev.policysync.plan.Plan.Conflict;
import dev.policysync.plan.Plan.Rejected;
import dev.policysync.plan.PlanDraft;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.Succession;
import dev.policysync.policy.feed.Feed;
import dev.policysync.sync.PolicyStatus.Operation;
import dev.policysync.sync.execution.Outcome;
import dev.policysync.sync.execution.StopReason;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/// When the remote API is told of which policy (promise 12).
class StatusReportTest {
  private static final Instant NOW = Instant.parse("2026-11-20T09:30:00Z");
  private static final Failure DENIED = new Failure(Failure.Cause.DENIED, "the webhook denied it");
  private static final StatusBacklog NONE = StatusBacklog.none(SOURCE);
  private static final Policy OTHER = clusterPolicy("other", "{'background': true}");
  private static final Policy TEAM = clusterPolicy("team", "{'background': true}");
  private static final Policy CEL =
      policy(PolicyId.of(PolicyKind.NAMESPACED_VALIDATING_POLICY, "shop", "team"), "{'a': 1}");
  private static final Action GONE =
      new Action.Remove(clusterPolicyId("gone"), version(clusterPolicyId("gone")), Set.of());

  private final Set<PolicyId> inCluster = new HashSet<>();
  private boolean listens = true;
  private final List<String> handed = new ArrayList<>();
  private final List<Supplier<String>> bodies = new ArrayList<>();

  @Test
  void tellsOfAPolicyWhileOthersAreStillWritten() {
    var report = report(new PlanDraft().actions(List.of(create(TEAM), create(OTHER), GONE)));

    report.ended(done(create(OTHER)));
    assertThat(handed).containsExactly("other APPLY success");

    report.ended(new Outcome.Failed(create(TEAM), DENIED));
    assertThat(handed).containsExactly("other APPLY success", "team APPLY failed");

    report.ended(done(GONE));
    assertThat(handed).endsWith("gone DELETE success");
    assertThat(report.end().statuses()).hasSize(3);
  }

  @Test
  void tellsOfANameOnceWhenItsLastPolicyHasEnded() {
    var report = report(new PlanDraft().actions(List.of(create(TEAM), create(CEL))));

    report.ended(new Outcome.Failed(create(CEL), DENIED));
    assertThat(handed).isEmpty();

    report.ended(done(create(TEAM)));
    assertThat(handed).containsExactly("team APPLY failed");
  }

  @Test
  void saysTheSameWhicheverOfANameEndsFirst() {
    var draft = List.of(create(TEAM), create(CEL));
    var one = report(new PlanDraft().actions(draft));
    var other = report(new PlanDraft().actions(draft));

    one.ended(new Outcome.Failed(create(TEAM), DENIED));
    one.ended(new Outcome.Failed(create(CEL), DENIED));
    other.ended(new Outcome.Failed(create(CEL), DENIED));
    other.ended(new Outcome.Failed(create(TEAM), DENIED));

    assertThat(other.end().statuses()).isEqualTo(one.end().statuses());
  }

  @Test
  void tellsBeforeTheFirstWriteWhatNoWriteCanChange() {
    var rejected = new Rejected("feed, document 2", Optional.of("cm"), Optional.empty(), DENIED);
    var state =
        NONE.afterSending(List.of(), List.of(unsent("old"), unsent("team")))
            .beginning(Set.of(clusterPolicyId("killed")));

    var _ =
        report(
            new PlanDraft()
                .rejected(List.of(rejected))
                .unchanged(List.of(clusterPolicyId("killed")))
                .actions(List.of(create(TEAM))),
            state);

    assertThat(handed)
        .containsExactly("old APPLY success", "cm APPLY failed", "killed APPLY success");
  }

  @Test
  void tellsWhatAKilledRunHadDoneAlsoWhereThisOneOnlyRehearses() {
    var succession = new Succession(TEAM.id(), Succession.Stage.REHEARSAL);

    var report =
        report(
            new PlanDraft()
                .unchanged(List.of(TEAM.id()))
                .actions(List.of(create(CEL)))
                .successions(Map.of(CEL.id(), succession)),
            NONE.beginning(Set.of(TEAM.id())));
    report.ended(done(create(CEL)));

    assertThat(handed).containsExactly("team APPLY success");
    assertThat(report.end().open()).isEmpty();
  }

  @Test
  void tellsAgainWhatTheApiDidNotTakeOnlyWhereThereIsNothingNewerToTell() {
    var state = NONE.afterSending(List.of(), List.of(unsent("team"), unsent("other")));
    var report = report(new PlanDraft().actions(List.of(create(TEAM), create(OTHER))), state);

    report.ended(new Outcome.NotAttempted(create(OTHER), StopReason.SIGNAL));
    report.ended(new Outcome.Failed(create(TEAM), DENIED));

    assertThat(handed).containsExactly("other APPLY success", "team APPLY failed");
  }

  @Test
  void leavesOpenWhatFailedAndWhatNobodyKnows() {
    var state = NONE.beginning(Set.of(clusterPolicyId("paused"), clusterPolicyId("well")));
    inCluster.add(clusterPolicyId("paused"));
    var report =
        report(
            new PlanDraft()
                .unchanged(List.of(clusterPolicyId("well")))
                .actions(List.of(create(TEAM), create(OTHER))),
            state);

    report.ended(new Outcome.Failed(create(TEAM), DENIED));
    report.ended(done(create(OTHER)));

    assertThat(report.end().open()).containsExactlyInAnyOrder(TEAM.id(), clusterPolicyId("paused"));
  }

  @Test
  void leavesAConflictOpenThatTheApiDidNotTake() {
    var conflict = new Conflict(clusterPolicyId("taken"), "unowned");
    var draft = new PlanDraft().conflicts(List.of(conflict));

    var heard = report(draft, NONE.beginning(Set.of(conflict.id()))).end();
    listens = false;
    var unheard = report(draft).end();

    assertThat(heard.open()).isEmpty();
    assertThat(heard.conflicts()).containsOnlyKeys(conflict.id());
    assertThat(unheard.open()).containsExactly(conflict.id());
    assertThat(unheard.conflicts()).isEmpty();
  }

  @Test
  void makesNoManifestBeforeItIsSent() {
    var report = report(new PlanDraft().actions(List.of(create(TEAM))));

    report.ended(done(create(TEAM)));

    assertThat(bodies).singleElement().extracting(Supplier::get).asString().contains("name: team");
  }

  private StatusReport report(PlanDraft draft) {
    return report(draft, NONE);
  }

  private StatusReport report(PlanDraft draft, StatusBacklog backlog) {
    var plan = draft.plan();
    StatusSink api =
        _ ->
            new StatusSink.Transmission() {
              private final List<PolicyStatus> sent = new ArrayList<>();

              @Override
              public void send(PolicyStatus status, Supplier<String> body) {
                sent.add(status);
                var how = status.success() ? "success" : "failed";
                handed.add(status.name() + " " + status.operation() + " " + how);
                bodies.add(body);
              }

              @Override
              public List<PolicyStatus> end() {
                return listens ? List.of() : sent;
              }
            };
    return StatusReport.begin(
        api,
        plan,
        new PolicyStatusBuilder(
            Feed.of(List.of()),
            feed(TEAM, CEL, OTHER),
            plan,
            new ListedPolicies(Set.copyOf(PolicyKind.all()), inCluster, inCluster),
            backlog),
        Clock.fixed(NOW, ZoneOffset.UTC));
  }

  private static PolicyStatus unsent(String name) {
    return new PolicyStatus(
        name, Operation.APPLY, true, Instant.EPOCH, "", List.of(clusterPolicyId(name)));
  }

  private static Action create(Policy policy) {
    return new Action.Create(desired(policy));
  }

  private static Outcome done(Action action) {
    return new Outcome.Done(action, List.of());
  }
}
