package dev.policysync.plan;

import static dev.policysync.plan.PlanFixtures.RULES;
import static dev.policysync.plan.PlanFixtures.SOURCE;
import static dev.policysync.plan.PlanFixtures.absent;
import static dev.policysync.plan.PlanFixtures.applied;
import static dev.policysync.plan.PlanFixtures.cluster;
import static dev.policysync.plan.PlanFixtures.clusterPolicyId;
import static dev.policysync.plan.PlanFixtures.desired;
import static dev.policysync.plan.PlanFixtures.forbidden;
import static dev.policysync.plan.PlanFixtures.ownedOnly;
import static dev.policysync.plan.PlanFixtures.terminating;
import static dev.policysync.plan.PlanFixtures.unlistable;
import static dev.policysync.plan.PlanFixtures.version;
import static dev.policysync.plan.PlanFixtures.with;
import static dev.policysync.plan.PlanFixtures.withOwnership;
import static dev.policysync.plan.PlanFixtures.without;
import static dev.policysync.plan.managedfields.OwnershipFixtures.fields;
import static dev.policysync.plan.managedfields.OwnershipFixtures.updatedBy;
import static dev.policysync.policy.PolicyFixtures.clusterPolicy;
import static dev.policysync.policy.PolicyFixtures.feed;
import static dev.policysync.policy.PolicyFixtures.policy;
import static dev.policysync.policy.PolicyFixtures.unreadable;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.plan.Action.Cause;
import dev.policysync.plan.Plan.Rejected;
import dev.policysync.plan.Plan.Unlistable;
import dev.policysync.plan.managedfields.FieldOwnership;
import dev.policysync.plan.managedfields.FieldSet;
import dev.policysync.plan.managedfields.ManagedFields;
import dev.policysync.policy.OwnershipAnnotations;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

class PlannerTest {
  private static final Policy TEAM = clusterPolicy("team");

  private final Planner planner = new Planner(RULES);

  @Test
  void createsWhatIsNotThere() {
    var plan = planner.plan(feed(TEAM), cluster(), PlanContext.NONE);

    assertThat(plan)
        .isEqualTo(new PlanDraft().actions(List.of(new Action.Create(desired(TEAM)))).plan());
  }

  @Test
  void leavesAloneWhatIsInSync() {
    var plan = planner.plan(feed(TEAM), cluster(applied(TEAM)), PlanContext.NONE);

    assertThat(plan).isEqualTo(new PlanDraft().unchanged(List.of(clusterPolicyId("team"))).plan());
  }

  @Test
  void updatesWhatTheFeedChanged() {
    var fresh = clusterPolicy("team", "{'rules': [], 'background': true}");

    assertThat(planner.plan(feed(fresh), cluster(applied(TEAM)), PlanContext.NONE).actions())
        .containsExactly(update(fresh, Cause.CHANGED));
  }

  @Test
  void updatesWhatIsNowServedAtABetterVersion() {
    var policy = policy(PolicyId.of(PolicyKind.VALIDATING_POLICY, "team"));
    var before = DesiredPolicy.of(policy, "v1beta1", SOURCE);

    var plan = planner.plan(feed(policy), cluster(applied(before)), PlanContext.NONE);

    assertThat(plan.actions()).containsExactly(update(policy, Cause.CHANGED));
  }

  @Test
  void appliesAtTheVersionThatIsServed() {
    var policy = policy(PolicyId.of(PolicyKind.VALIDATING_POLICY, "team"));
    var old =
        with(cluster(), PolicyKind.VALIDATING_POLICY, new Listing.Listed("v1alpha1", List.of()));

    assertThat(planner.plan(feed(policy), old, PlanContext.NONE).actions())
        .containsExactly(new Action.Create(DesiredPolicy.of(policy, "v1alpha1", SOURCE)));
  }

  @Test
  void takesWhatAnEarlierPlanAppliedAsItWasWorkedOut() {
    var earlier = planner.plan(feed(TEAM), cluster(), PlanContext.NONE).actions().getFirst();

    var later = planner.plan(feed(TEAM), cluster(), PlanContext.NONE, List.of(earlier));

    assertThat(later.actions())
        .singleElement(InstanceOfAssertFactories.type(Action.Create.class))
        .satisfies(
            create -> assertThat(create.desired()).isSameAs(((Action.Create) earlier).desired()));
  }

  @Test
  void worksOutAnewWhatAnEarlierPlanAppliedAtAnotherVersion() {
    var policy = policy(PolicyId.of(PolicyKind.VALIDATING_POLICY, "team"));
    var old =
        with(cluster(), PolicyKind.VALIDATING_POLICY, new Listing.Listed("v1alpha1", List.of()));
    var earlier = planner.plan(feed(policy), old, PlanContext.NONE);

    var plan = planner.plan(feed(policy), cluster(), PlanContext.NONE, earlier.actions());

    assertThat(plan).isEqualTo(planner.plan(feed(policy), cluster(), PlanContext.NONE));
    assertThat(plan).isNotEqualTo(earlier);
  }

  @Test
  void repairsAFieldThatSomebodyTook() {
    var live = applied(TEAM);
    var entry = live.ownership().entries().getFirst();
    var taken =
        new ManagedFields(
            entry.manager(),
            entry.operation(),
            entry.apiVersion(),
            "",
            fields("{'f:spec': {'f:validationFailureAction': {}}}"));

    var plan =
        planner.plan(
            feed(TEAM),
            cluster(withOwnership(live, new FieldOwnership(List.of(taken)))),
            PlanContext.NONE);

    assertThat(plan.actions()).containsExactly(update(TEAM, Cause.DRIFTED));
  }

  @Test
  void repairsAFieldThatSomebodyAdded() {
    var intruder = updatedBy("kubectl-edit", "{'f:spec': {'f:failurePolicy': {}}}");

    assertThat(planner.plan(feed(TEAM), cluster(touchedBy(intruder)), PlanContext.NONE).actions())
        .containsExactly(
            new Action.Update(
                desired(TEAM), version(TEAM.id()), Cause.DRIFTED, Set.of("kubectl-edit")));
  }

  @Test
  void leavesAloneWhatOthersWroteBesidesTheSpec() {
    var status =
        new ManagedFields(
            "kyverno", "Update", "kyverno.io/v1", "status", fields("{'f:status': {}}"));
    var label = updatedBy("kubectl-label", "{'f:metadata': {'f:labels': {'f:team': {}}}}");

    assertThat(
            planner.plan(feed(TEAM), cluster(touchedBy(status, label)), PlanContext.NONE).actions())
        .isEmpty();
  }

  @Test
  void repairsATakeOverThatWasCutShort() {
    // The managed fields were rewritten, the second apply never came: the intruder's field is ours.
    var intruder = updatedBy("kubectl-edit", "{'f:spec': {'f:failurePolicy': {}}}");
    var between = touchedBy(intruder).ownership().takenOver(FieldSet.NONE).orElseThrow();

    var plan =
        planner.plan(feed(TEAM), cluster(withOwnership(applied(TEAM), between)), PlanContext.NONE);

    assertThat(plan.actions()).containsExactly(update(TEAM, Cause.DRIFTED));
  }

  @Test
  void repairsAPolicyWhoseManagedFieldsWereLost() {
    var lost = withOwnership(applied(TEAM), new FieldOwnership(List.of()));

    assertThat(planner.plan(feed(TEAM), cluster(lost), PlanContext.NONE).actions())
        .containsExactly(update(TEAM, Cause.DRIFTED));
  }

  @Test
  void repairsAPolicyWhoseSignatureWasRemoved() {
    assertThat(
            planner
                .plan(
                    feed(TEAM),
                    cluster(without(applied(TEAM), OwnershipAnnotations.APPLIED)),
                    PlanContext.NONE)
                .actions())
        .containsExactly(update(TEAM, Cause.DRIFTED));
  }

  @Test
  void takesOverWhatTheAgentBeforeItApplied() {
    var plan =
        planner.plan(feed(TEAM), cluster(ownedOnly(clusterPolicyId("team"))), PlanContext.NONE);

    assertThat(plan.actions()).containsExactly(update(TEAM, Cause.ADOPTED));
  }

  @Test
  void tellsPoliciesOfOneNameApart() {
    var one = clusterPolicy("x");
    var two = policy(PolicyId.of(PolicyKind.VALIDATING_POLICY, "x"));
    var three = policy(PolicyId.of(PolicyKind.NAMESPACED_POLICY, "shop", "x"));
    var four = policy(PolicyId.of(PolicyKind.NAMESPACED_POLICY, "bank", "x"));
    var five = policy(PolicyId.of(PolicyKind.KYVERNO_EXCEPTION, "shop", "x"));
    var six = policy(PolicyId.of(PolicyKind.CEL_EXCEPTION, "shop", "x"));

    var plan =
        planner.plan(
            feed(one, two, three, four, five, six),
            cluster(applied(one), applied(three), applied(six)),
            PlanContext.NONE);

    assertThat(plan.unchanged()).containsExactly(one.id(), three.id(), six.id());
    assertThat(plan.actions())
        .containsExactly(
            new Action.Create(desired(five)),
            new Action.Create(desired(four)),
            new Action.Create(desired(two)));
  }

  @Test
  void appliesContextsThenExceptionsThenPoliciesThenBindings() {
    var ids =
        List.of(
            PolicyId.of(PolicyKind.VALIDATING_ADMISSION_POLICY_BINDING, "b"),
            PolicyId.of(PolicyKind.VALIDATING_ADMISSION_POLICY, "b"),
            PolicyId.of(PolicyKind.CLUSTER_POLICY, "z"),
            PolicyId.of(PolicyKind.CLUSTER_POLICY, "a"),
            PolicyId.of(PolicyKind.KYVERNO_EXCEPTION, "shop", "e"),
            PolicyId.of(PolicyKind.CEL_EXCEPTION, "shop", "e"),
            PolicyId.of(PolicyKind.GLOBAL_CONTEXT_ENTRY, "g"));
    var policies = new ArrayList<Policy>();
    ids.forEach(id -> policies.add(policy(id)));

    var plan = planner.plan(feed(policies), cluster(), PlanContext.NONE);

    assertThat(plan.actions())
        .extracting(action -> action.id().key())
        .containsExactly(
            "GlobalContextEntry.kyverno.io/g",
            "PolicyException.kyverno.io/shop/e",
            "PolicyException.policies.kyverno.io/shop/e",
            "ClusterPolicy.kyverno.io/a",
            "ClusterPolicy.kyverno.io/z",
            "ValidatingAdmissionPolicy.admissionregistration.k8s.io/b",
            "ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io/b");
  }

  @Test
  void rejectsOnlyThePoliciesOfAKindThatTheClusterLacks() {
    var cel = policy(PolicyId.of(PolicyKind.VALIDATING_POLICY, "cel"));

    var plan =
        planner.plan(
            feed(TEAM, cel),
            with(cluster(), PolicyKind.VALIDATING_POLICY, absent()),
            PlanContext.NONE);

    assertThat(plan.actions()).containsExactly(new Action.Create(desired(TEAM)));
    assertThat(plan.problems().rejected())
        .containsExactly(
            new Rejected(
                "ValidatingPolicy/cel",
                Optional.of("cel"),
                Optional.of(cel.id()),
                new Failure(Failure.Cause.KIND_ABSENT, "its CRD is not installed")));
  }

  @Test
  void touchesNothingOfAKindThatCannotBeListed() {
    var cel = policy(PolicyId.of(PolicyKind.VALIDATING_POLICY, "cel"));

    var plan =
        planner.plan(
            feed(TEAM, cel),
            with(cluster(), PolicyKind.VALIDATING_POLICY, unlistable()),
            PlanContext.NONE);

    assertThat(plan.actions()).containsExactly(new Action.Create(desired(TEAM)));
    assertThat(plan.problems().rejected())
        .containsExactly(
            new Rejected(
                "ValidatingPolicy/cel", Optional.of("cel"), Optional.of(cel.id()), forbidden()));
    assertThat(plan.problems().unlistable())
        .containsExactly(new Unlistable(PolicyKind.VALIDATING_POLICY, 1, forbidden()));
  }

  @Test
  void waitsForAnExpectedPolicyThatIsBeingDeleted() {
    var plan = planner.plan(feed(TEAM), cluster(terminating(applied(TEAM))), PlanContext.NONE);

    assertThat(plan.actions()).isEmpty();
    assertThat(plan.problems().rejected())
        .singleElement()
        .satisfies(rejected -> {
          assertThat(rejected.label()).isEqualTo("ClusterPolicy/team");
          assertThat(rejected.failure().cause()).isEqualTo(Failure.Cause.TERMINATING);
        });
  }

  @Test
  void appliesTheOthersWhereADocumentCouldNotBeRead() {
    var known = unreadable(Optional.of(clusterPolicyId("twice")), Optional.of("twice"));
    var unknown = unreadable();

    var plan = planner.plan(feed(List.of(TEAM), unknown, known), cluster(), PlanContext.NONE);

    var failure = new Failure(Failure.Cause.UNREADABLE, "it has no kind");
    assertThat(plan.actions()).containsExactly(new Action.Create(desired(TEAM)));
    assertThat(plan.problems().rejected())
        .containsExactlyInAnyOrder(
            new Rejected(
                "ClusterPolicy/twice",
                Optional.of("twice"),
                Optional.of(clusterPolicyId("twice")),
                new Failure(
                    Failure.Cause.UNREADABLE,
                    "it has no kind (feed, document 2, line 7, column 1)")),
            new Rejected(
                "feed, document 2, line 7, column 1", Optional.empty(), Optional.empty(), failure));
  }

  private static LivePolicy touchedBy(ManagedFields... others) {
    var live = applied(TEAM);
    var entries = new ArrayList<>(live.ownership().entries());
    entries.addAll(List.of(others));
    return withOwnership(live, new FieldOwnership(entries));
  }

  private static Action.Update update(Policy policy, Cause cause) {
    return new Action.Update(desired(policy), version(policy.id()), cause);
  }
}
