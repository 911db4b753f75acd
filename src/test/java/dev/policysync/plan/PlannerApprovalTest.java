package dev.policysync.plan;

import static dev.policysync.plan.PlanFixtures.RULES;
import static dev.policysync.plan.PlanFixtures.applied;
import static dev.policysync.plan.PlanFixtures.at;
import static dev.policysync.plan.PlanFixtures.cluster;
import static dev.policysync.plan.PlanFixtures.ownedBefore;
import static dev.policysync.plan.PlanFixtures.with;
import static dev.policysync.policy.PolicyFixtures.clusterPolicy;
import static dev.policysync.policy.PolicyFixtures.feed;
import static dev.policysync.policy.PolicyFixtures.unreadable;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.plan.Plan.Withheld;
import dev.policysync.policy.Digest;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.feed.ApprovedFeed;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Removals that a guard withholds, a person's consent to them, and the budget over several runs
/// (promise 4).
class PlannerApprovalTest {
  private static final Instant NOW = Instant.parse("2026-11-20T09:30:00Z");
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final List<Policy> OLD = policies("old", 20);
  private static final List<Policy> FRESH = policies("fresh", 100);

  private final Planner planner = new Planner(RULES);

  @Test
  void namesTheListThatSomebodyHasToConsentTo() {
    var plan = planner.plan(feed(), cluster(live(OLD)), PlanContext.NONE);

    assertThat(plan.pending().withheld())
        .hasSize(20)
        .contains(withheld(OLD.getFirst(), Guard.EMPTY_FEED));
    assertThat(plan.approvals().removals())
        .isEqualTo(new ApprovalState.Missing(list(plan, OLD), Optional.empty()));
  }

  @Test
  void removesWhatSomebodyConsentedTo() {
    var asked = planner.plan(feed(), cluster(live(OLD)), PlanContext.NONE);
    var approval = approval(asked, MINUTE);

    var plan = planner.plan(feed(), cluster(live(OLD)), approved(approval));

    assertThat(plan.pending().withheld()).isEmpty();
    assertThat(plan.actions()).hasSize(20).allMatch(Action.Remove.class::isInstance);
    assertThat(plan.approvals().removals()).isEqualTo(new ApprovalState.Given(approval));
  }

  @Test
  void removesWhatAFeedThatSomebodyApprovedAsksFor() {
    var approval = approval(planner.plan(feed(), cluster(live(OLD)), PlanContext.NONE), MINUTE);
    var approvedFeed = new ApprovedFeed(ApprovedFeed.EMPTY, NOW.plus(MINUTE));

    var plan =
        planner.plan(
            feed(), cluster(live(OLD)), PlanContext.NONE.approving(Optional.of(approvedFeed)));

    assertThat(plan.pending().withheld()).isEmpty();
    assertThat(plan.actions()).hasSize(20).allMatch(Action.Remove.class::isInstance);
    assertThat(plan.approvals().removals()).isEqualTo(new ApprovalState.GivenToFeed(approvedFeed));
    assertThat(plan.note())
        .isEqualTo(planner.plan(feed(), cluster(live(OLD)), approved(approval)).note());
  }

  @Test
  void asksAnewForAnotherList() {
    var approval = approval(planner.plan(feed(), cluster(live(OLD)), PlanContext.NONE), MINUTE);
    var oneMore = live(OLD);
    oneMore.add(applied(FRESH.getFirst()));
    var oneAnew = live(OLD);
    oneAnew.set(0, at(oneAnew.getFirst(), new ObjectVersion("created again", "1")));

    for (var live : List.of(oneMore, oneAnew, live(OLD.subList(0, 19)))) {
      var plan = planner.plan(feed(), cluster(live), approved(approval));

      assertThat(plan.actions()).isEmpty();
      assertThat(plan.approvals().removals())
          .isInstanceOfSatisfying(
              ApprovalState.Missing.class,
              missing ->
                  assertThat(missing.objection())
                      .contains("the approval on the Lease is for a different list"));
    }
  }

  @Test
  void takesAnApprovalForVoidAfterADay() {
    var asked = planner.plan(feed(), cluster(live(OLD)), PlanContext.NONE);
    var day = Duration.ofHours(24);

    var inTime =
        planner.plan(feed(), cluster(live(OLD)), approved(approval(asked, day.minusSeconds(1))));
    var late = planner.plan(feed(), cluster(live(OLD)), approved(approval(asked, day)));
    var undated =
        planner.plan(
            feed(),
            cluster(live(OLD)),
            approved(
                new Approval(Approval.Of.REMOVALS, list(asked, OLD).text(), Optional.empty())));

    assertThat(inTime.approvals().removals()).isInstanceOf(ApprovalState.Given.class);
    assertThat(objection(late))
        .contains("the approval on the Lease has expired: it was given more than 24 hours ago");
    assertThat(objection(undated))
        .contains("the approval on the Lease is invalid: the time of the approval is unknown");
  }

  @Test
  void letsNobodyConsentToWhatNobodyCanKnow() {
    var asked = planner.plan(feed(), cluster(live(OLD)), PlanContext.NONE);
    var approved = approved(approval(asked, MINUTE));

    var halfAFeed = planner.plan(feed(List.of(), unreadable()), cluster(live(OLD)), approved);
    var halfACluster =
        planner.plan(
            feed(),
            with(cluster(live(OLD)), PolicyKind.DELETING_POLICY, PlanFixtures.unlistable()),
            approved);

    for (var plan : List.of(halfAFeed, halfACluster)) {
      assertThat(plan.actions()).isEmpty();
      assertThat(plan.pending().withheld()).hasSize(20);
      assertThat(plan.approvals().removals()).isEqualTo(new ApprovalState.NotNeeded());
    }
  }

  @Test
  void asksForNoApprovalOfWhatStaysAllTheSame() {
    var stays = new Plan.Kept(OLD.getFirst().id(), "still needed");
    var waits = new Withheld(OLD.get(1).id(), Guard.STILL_SERVES, "ClusterPolicy/x");
    var ifApproved = new PlanDraft().keep(List.of(stays)).withhold(List.of(waits)).plan();

    var plan =
        planner.plan(feed(), cluster(live(OLD)), PlanContext.NONE.withPlanIfApproved(ifApproved));

    assertThat(plan.retained().kept()).containsExactly(stays);
    assertThat(plan.pending().withheld())
        .hasSize(19)
        .contains(waits)
        .doesNotContain(withheld(OLD.getFirst(), Guard.EMPTY_FEED));
    assertThat(plan.approvals().removals())
        .isEqualTo(new ApprovalState.Missing(listOf(OLD.subList(2, 20)), Optional.empty()));
    assertThat(plan.note().withheld()).isEqualTo(18);
  }

  @Test
  void asksForNoApprovalWhereOnlyThatIsLeftWhichStaysAllTheSame() {
    var stays = new Plan.Kept(OLD.getFirst().id(), "still needed");
    var ifApproved = new PlanDraft().keep(List.of(stays)).plan();

    var plan =
        planner.plan(
            feed(),
            cluster(live(OLD.subList(0, 1))),
            PlanContext.NONE.withPlanIfApproved(ifApproved));

    assertThat(plan)
        .isEqualTo(new PlanDraft().keep(List.of(stays)).note(RemovalHistory.Note.NONE).plan());
  }

  @Test
  void countsNothingAgainstTheBudgetThatStaysAllTheSame() {
    var ifApproved =
        new PlanDraft().keep(List.of(new Plan.Kept(OLD.getFirst().id(), "still needed"))).plan();
    var feed = feed(OLD.subList(5, 20));

    var asked = planner.plan(feed, cluster(live(OLD)), PlanContext.NONE);
    var plan =
        planner.plan(feed, cluster(live(OLD)), PlanContext.NONE.withPlanIfApproved(ifApproved));

    assertThat(asked.pending().withheld()).hasSize(5);
    assertThat(plan.pending().withheld()).isEmpty();
    assertThat(plan.actions())
        .hasSize(4)
        .noneMatch(going -> going.id().equals(OLD.getFirst().id()));
  }

  @Test
  void takesNoApprovalForOneOfWhatNoLongerStays() {
    var ifApproved =
        new PlanDraft().keep(List.of(new Plan.Kept(OLD.getFirst().id(), "still needed"))).plan();
    var asked =
        planner.plan(feed(), cluster(live(OLD)), PlanContext.NONE.withPlanIfApproved(ifApproved));
    var approved = approved(approval(asked, MINUTE));

    var same = planner.plan(feed(), cluster(live(OLD)), approved.withPlanIfApproved(ifApproved));
    var free = planner.plan(feed(), cluster(live(OLD)), approved);

    assertThat(same.actions()).hasSize(19);
    assertThat(free.actions()).isEmpty();
    assertThat(objection(free)).contains("the approval on the Lease is for a different list");
  }

  @Test
  void remembersTheMeasureWhileARemovalWaitsThatNobodyIsAskedAbout() {
    var waits = new Withheld(OLD.getFirst().id(), Guard.STILL_SERVES, "ClusterPolicy/x");
    var ifApproved = new PlanDraft().withhold(List.of(waits)).plan();
    var wrong = feed(Stream.concat(OLD.stream().skip(1), FRESH.stream()).toList());
    var budget = new RemovalBudget.Count(0);
    var strict = new Planner(new PlannerOptions(RULES.source(), RULES.adoption(), budget));

    var plan =
        strict.plan(wrong, cluster(live(OLD)), PlanContext.NONE.withPlanIfApproved(ifApproved));

    assertThat(plan.pending().withheld()).containsExactly(waits);
    assertThat(plan.note()).isEqualTo(new RemovalHistory.Note(Optional.of(20), 0, 0));
  }

  @Test
  void needsNoConsentWithinTheBudget() {
    var plan = planner.plan(feed(OLD.subList(0, 16)), cluster(live(OLD)), PlanContext.NONE);

    assertThat(plan.actions()).hasSize(4);
    assertThat(plan.approvals().removals()).isEqualTo(new ApprovalState.NotNeeded());
    assertThat(plan.note().ownedBefore()).isEmpty();
  }

  @Test
  void measuresTheBudgetByWhatWasOwnedWhenRemovalsWereFirstWithheld() {
    var wrong = feed(FRESH);
    var first = planner.plan(wrong, cluster(live(OLD)), PlanContext.NONE);
    var afterwards = live(OLD);
    afterwards.addAll(live(FRESH));

    var second = planner.plan(wrong, cluster(afterwards), remembering(first));
    var forgetful = planner.plan(wrong, cluster(afterwards), PlanContext.NONE);

    assertThat(first.note().ownedBefore()).contains(20);
    assertThat(first.pending().withheld()).hasSize(20);
    assertThat(second.pending().withheld()).hasSize(20);
    assertThat(second.note().ownedBefore()).contains(20);
    assertThat(forgetful.pending().withheld()).as("without memory the budget is passed").isEmpty();
  }

  @Test
  void measuresSoWhicheverGuardWithheldThemFirst() {
    var wrong = feed(FRESH, unreadable());
    var first = planner.plan(wrong, cluster(live(OLD)), PlanContext.NONE);
    var afterwards = live(OLD);
    afterwards.addAll(live(FRESH));

    var second = planner.plan(feed(FRESH), cluster(afterwards), remembering(first));

    assertThat(first.pending().withheld())
        .hasSize(20)
        .contains(withheld(OLD.getFirst(), Guard.FEED_INCOMPLETE));
    assertThat(second.pending().withheld())
        .hasSize(20)
        .extracting(Withheld::guard)
        .containsOnly(Guard.OVER_BUDGET);
  }

  @Test
  void forgetsThatMeasureWhenNothingIsLeftToRemove() {
    var memory = 20;

    var plan = planner.plan(feed(OLD), cluster(live(OLD)), remembering(memory));

    assertThat(plan.note().ownedBefore()).isEmpty();
  }

  @Test
  void keepsThatMeasureWhileItCannotTellWhetherAnythingIsLeft() {
    var memory = 20;
    var blind = with(cluster(), PolicyKind.CLUSTER_POLICY, PlanFixtures.unlistable());

    assertThat(planner.plan(feed(), blind, remembering(memory)).note().ownedBefore()).contains(20);
    assertThat(
            planner
                .plan(feed(List.of(), unreadable()), cluster(), remembering(memory))
                .note()
                .ownedBefore())
        .contains(20);
  }

  @Test
  void notesNoMeasureWhereItAddsNothingToWhatItCannotTell() {
    var blind = with(cluster(live(OLD)), PolicyKind.DELETING_POLICY, PlanFixtures.unlistable());

    assertThat(planner.plan(feed(OLD), blind, PlanContext.NONE).note())
        .isEqualTo(RemovalHistory.Note.NONE);
    assertThat(
            planner
                .plan(
                    feed(FRESH.subList(0, 1)),
                    with(cluster(), PolicyKind.DELETING_POLICY, PlanFixtures.unlistable()),
                    PlanContext.NONE)
                .note())
        .isEqualTo(new RemovalHistory.Note(Optional.of(0), 0, 0));
  }

  @Test
  void measuresByWhatIsOwnedNowWhereThatIsLess() {
    var memory = 1_000;

    var plan = planner.plan(feed(OLD.subList(0, 15)), cluster(live(OLD)), remembering(memory));

    assertThat(plan.pending().withheld()).hasSize(5);
    assertThat(plan.note().ownedBefore()).contains(20);
  }

  private static Optional<String> objection(Plan plan) {
    return plan.approvals().removals() instanceof ApprovalState.Missing missing
        ? missing.objection()
        : Optional.empty();
  }

  private static Approval approval(Plan asked, Duration age) {
    return asked.approvals().removals() instanceof ApprovalState.Missing(var list, _)
        ? new Approval(Approval.Of.REMOVALS, list.text(), Optional.of(age))
        : new Approval(Approval.Of.REMOVALS, "nothing to approve", Optional.empty());
  }

  private static Digest list(Plan plan, List<Policy> policies) {
    assertThat(plan.pending().withheld()).hasSameSizeAs(policies);
    return listOf(policies);
  }

  private static Digest listOf(List<Policy> policies) {
    return Approval.listOf(
        live(policies).stream()
            .map(there -> new Action.Remove(there.id(), there.objectVersion(), Set.of()))
            .toList());
  }

  private static PlanContext approved(Approval approval) {
    return new PlanContext(RemovalHistory.NONE, DriftHistory.NONE, Optional.of(approval), Set.of());
  }

  private static PlanContext remembering(Plan plan) {
    return new PlanContext(
        RemovalHistory.NONE.with(plan.note(), NOW), DriftHistory.NONE, Optional.empty(), Set.of());
  }

  private static PlanContext remembering(int ownedBefore) {
    return new PlanContext(ownedBefore(ownedBefore), DriftHistory.NONE, Optional.empty(), Set.of());
  }

  private static Withheld withheld(Policy policy, Guard guard) {
    return new Withheld(policy.id(), guard);
  }

  private static List<LivePolicy> live(List<Policy> policies) {
    return new ArrayList<>(policies.stream().map(PlanFixtures::applied).toList());
  }

  private static List<Policy> policies(String prefix, int count) {
    return IntStream.range(0, count).mapToObj(i -> clusterPolicy(prefix + "-" + i)).toList();
  }
}
