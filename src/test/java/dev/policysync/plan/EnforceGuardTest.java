package dev.policysync.plan;

import static dev.policysync.plan.PlanFixtures.desired;
import static dev.policysync.plan.PlanFixtures.version;
import static dev.policysync.policy.PolicyFixtures.clusterPolicy;
import static dev.policysync.policy.PolicyFixtures.policy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.policysync.plan.StricterChange.AffectedWorkloads;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EnforceGuardTest {
  private static final EnforceGuard HOLD = new EnforceGuard(EnforceGuard.Mode.HOLD, 2);
  private static final Action STRICTER = update("stricter");
  private static final Action OTHER = update("other");

  @ParameterizedTest
  @CsvSource({"1, false", "2, true", "3, true"})
  void holdsFromTheThresholdOn(long workloads, boolean held) {
    var plan =
        HOLD.guard(
            both(),
            tightening(new AffectedWorkloads.Exactly(workloads)),
            Optional.empty(),
            Optional.empty());

    assertThat(plan.pending().withheld().size()).isEqualTo(held ? 1 : 0);
    assertThat(plan.actions()).contains(OTHER);
  }

  @Test
  void holdsWhatNobodyKnows() {
    assertThat(held(new AffectedWorkloads.Unknown())).isTrue();
    assertThat(held(new AffectedWorkloads.AtLeast(0))).isTrue();
  }

  @Test
  void letsAClusterBeSetUpInWhichNothingWasEverReported() {
    assertThat(held(new AffectedWorkloads.NothingReportedEver())).isFalse();
  }

  @Test
  void holdsNothingWhereItIsOnlyToWarn() {
    var warn = new EnforceGuard(EnforceGuard.Mode.WARN, 1);

    assertThat(
            warn.guard(
                both(),
                tightening(new AffectedWorkloads.Exactly(9)),
                Optional.empty(),
                Optional.empty()))
        .isEqualTo(both());
  }

  @Test
  void letsThroughWhatIsApproved() {
    var list =
        list(
            HOLD.guard(
                both(),
                tightening(new AffectedWorkloads.Unknown()),
                Optional.empty(),
                Optional.empty()));
    var approval = approval(Approval.Of.ENFORCEMENT, list, Duration.ofHours(23));

    var plan =
        HOLD.guard(
            both(),
            tightening(new AffectedWorkloads.Unknown()),
            Optional.of(approval),
            Optional.empty());

    assertThat(plan.actions()).isEqualTo(both().actions());
    assertThat(plan.approvals().enforcement())
        .isEqualTo(
            new EnforcementApproval(new ApprovalState.Given(approval), Set.of(STRICTER.id())));
  }

  @Test
  void takesAnApprovalForVoidAfterADay() {
    var list =
        list(
            HOLD.guard(
                both(),
                tightening(new AffectedWorkloads.Unknown()),
                Optional.empty(),
                Optional.empty()));
    var approval = approval(Approval.Of.ENFORCEMENT, list, Duration.ofHours(24));

    var plan =
        HOLD.guard(
            both(),
            tightening(new AffectedWorkloads.Unknown()),
            Optional.of(approval),
            Optional.empty());

    assertThat(plan.pending().withheld()).hasSize(1);
  }

  @Test
  void saysWhyAnApprovalDoesNotCount() {
    var another = approval(Approval.Of.ENFORCEMENT, "sha256:0", Duration.ZERO);

    var plan =
        HOLD.guard(
            both(),
            tightening(new AffectedWorkloads.Unknown()),
            Optional.of(another),
            Optional.empty());

    assertThat(plan.approvals().enforcement().approvalState())
        .isInstanceOfSatisfying(
            ApprovalState.Missing.class,
            missing ->
                assertThat(missing.objection())
                    .contains("the enforcement approval on the Lease is for a different list"));
  }

  @Test
  void asksAnewForAnotherContentOfThePolicy() {
    var changed =
        new Action.Update(
            desired(clusterPolicy("stricter", "{'rules': []}")),
            version(STRICTER.id()),
            Action.Cause.CHANGED);
    var one =
        HOLD.guard(
            both(),
            tightening(new AffectedWorkloads.Unknown()),
            Optional.empty(),
            Optional.empty());
    var other =
        HOLD.guard(
            of(changed),
            tightening(new AffectedWorkloads.Unknown()),
            Optional.empty(),
            Optional.empty());

    assertThat(list(one)).isNotEqualTo(list(other));
  }

  @Test
  void keepsWhatTheHeldPolicyIsToTakeThePlaceOf() {
    var successor = policy(PolicyId.of(PolicyKind.VALIDATING_POLICY, "moves"));
    var old = clusterPolicy("moves");
    var create = new Action.Create(desired(successor));
    var remove = new Action.Remove(old.id(), version(old.id()), Set.of(successor.id()));
    var tightening =
        List.of(new StricterChange(successor.id(), new AffectedWorkloads.Unknown(), "why"));

    var plan = HOLD.guard(of(create, remove), tightening, Optional.empty(), Optional.empty());

    assertThat(plan.actions()).isEmpty();
    assertThat(plan.pending().withheld())
        .extracting(Plan.Withheld::guard)
        .containsExactlyInAnyOrder(Guard.ENFORCEMENT, Guard.SUCCESSOR_STUCK);
  }

  @Test
  void neverSharesAListWithRemovals() {
    var removal = new Action.Remove(STRICTER.id(), version(STRICTER.id()), Set.of());

    assertThat(Approval.enforcing(List.of(removal)))
        .isNotEqualTo(Approval.listOf(List.of(removal)));
  }

  @Test
  void refusesAThresholdOfNoWorkload() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new EnforceGuard(EnforceGuard.Mode.HOLD, 0));
  }

  private static boolean held(AffectedWorkloads affectedWorkloads) {
    return !HOLD.guard(both(), tightening(affectedWorkloads), Optional.empty(), Optional.empty())
        .pending()
        .withheld()
        .isEmpty();
  }

  private static String list(Plan plan) {
    return ((ApprovalState.Missing) plan.approvals().enforcement().approvalState()).list().text();
  }

  private static Approval approval(Approval.Of what, String list, Duration age) {
    return new Approval(what, list, Optional.of(age));
  }

  private static List<StricterChange> tightening(AffectedWorkloads affectedWorkloads) {
    return List.of(new StricterChange(STRICTER.id(), affectedWorkloads, "rule r: Audit → Enforce"));
  }

  private static Action update(String name) {
    var policy = clusterPolicy(name);
    return new Action.Update(desired(policy), version(policy.id()), Action.Cause.CHANGED);
  }

  private static Plan both() {
    return of(STRICTER, OTHER);
  }

  private static Plan of(Action... actions) {
    return new PlanDraft().actions(List.of(actions)).plan();
  }
}
