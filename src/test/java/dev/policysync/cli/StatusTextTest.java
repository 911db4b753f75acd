package dev.policysync.cli;

import static dev.policysync.cli.StatusFixtures.NOW;
import static dev.policysync.cli.StatusFixtures.POLICIES;
import static dev.policysync.cli.StatusFixtures.compared;
import static dev.policysync.cli.StatusFixtures.facts;
import static dev.policysync.cli.StatusFixtures.free;
import static dev.policysync.cli.StatusFixtures.heldFor;
import static dev.policysync.cli.StatusFixtures.inSync;
import static dev.policysync.cli.StatusFixtures.kyverno;
import static dev.policysync.cli.StatusFixtures.onTime;
import static dev.policysync.cli.StatusFixtures.schedule;
import static dev.policysync.cli.StatusFixtures.status;
import static dev.policysync.plan.PlanFixtures.clusterPolicyId;
import static dev.policysync.plan.PlanFixtures.desired;
import static dev.policysync.plan.PlanFixtures.version;
import static dev.policysync.policy.PolicyFixtures.clusterPolicy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.inspect.ClusterFacts;
import dev.policysync.inspect.ClusterFacts.ExpiringException;
import dev.policysync.inspect.ClusterFacts.GivenApproval;
import dev.policysync.inspect.Schedule;
import dev.policysync.inspect.SyncStatus;
import dev.policysync.inspect.WebhookBreakers;
import dev.policysync.plan.Action;
import dev.policysync.plan.Failure;
import dev.policysync.plan.Guard;
import dev.policysync.plan.LiveStatus;
import dev.policysync.plan.Plan;
import dev.policysync.plan.PlanDraft;
import dev.policysync.policy.Digest;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.Succession;
import dev.policysync.policy.kyverno.KyvernoHealth;
import dev.policysync.sync.ApprovalInstructions;
import dev.policysync.sync.Inspection;
import dev.policysync.sync.LeaseHold;
import dev.policysync.sync.RecentErrors;
import dev.policysync.sync.analysis.NotInForce;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The screen in the situations that people ask for it in.
class StatusTextTest {
  private static final ClusterFacts WELL = facts(free(), onTime());
  private static final ApprovalInstructions APPROVAL =
      new ApprovalInstructions(
          Digest.of(new byte[] {2}),
          "kubectl annotate lease kyverno-policy-sync-lock --namespace=insights-agent"
              + " --overwrite policysync.dev/approve-removals=sha256:2c26b46b68ff");

  @Test
  void allIsWell() {
    shows("well", status(inSync(), WELL), true);
  }

  @Test
  void aRunIsAtWork() {
    var atWork = schedule(false, Duration.ofSeconds(20), Duration.ofSeconds(320), 1);
    shows(
        "at-work",
        status(inSync(), facts(heldFor(Duration.ofSeconds(12), LeaseHold.ACTIVE), atWork)),
        true);
  }

  @Test
  void somebodyChangedPoliciesAndKeepsChangingOne() {
    var plan =
        new PlanDraft()
            .unchanged(POLICIES)
            .actions(
                List.of(
                    new Action.Create(desired(clusterPolicy("new"))),
                    drift("edited", "kubectl-edit"),
                    drift("fought-over", "argocd-controller")))
            .managerConflicts(
                List.of(
                    new Plan.ManagerConflict(
                        clusterPolicyId("fought-over"), Set.of("argocd-controller"), 4)))
            .plan();

    shows("drift", status(compared(plan), WELL), false);
  }

  @Test
  void kyvernoDoesNotExecuteOne() {
    var why = "Kyverno reports: policy is not ready (since 2026-11-22T09:12:00Z)";
    var look =
        compared(
            new PlanDraft().unchanged(POLICIES).plan(),
            new NotInForce(POLICIES.getFirst(), NotInForce.Cause.NOT_READY, why));

    shows("not-in-force", status(look, WELL), false);
  }

  @Test
  void aPolicyOfTheClusterBreaksTheWebhookConfiguration() {
    var facts =
        new ClusterFacts(
            WELL.kubernetes(),
            WELL.missingKinds(),
            WELL.kyverno(),
            WELL.lease(),
            WELL.schedule(),
            List.of(),
            List.of(),
            List.of(
                new WebhookBreakers.Breaker(
                    PolicyId.of(PolicyKind.VALIDATING_POLICY, "of-another-team"),
                    "spec.matchConstraints.resourceRules[0].operations[0]: the operation is none of"
                        + " CREATE, UPDATE, DELETE, CONNECT, *")),
            List.of());

    shows("breaks-webhooks", status(inSync(), facts), false);
  }

  @Test
  void theCronJobIsSuspended() {
    var suspended = schedule(true, Duration.ofDays(3), Duration.ofDays(3), 0);
    shows("suspended", status(inSync(), facts(free(), suspended)), false);
  }

  @Test
  void theNamespaceHasNoAgent() {
    var nowhere = new Schedule.Missing("default/kyverno-policy-sync");
    shows("no-agent", status(inSync(), facts(free(), nowhere)), false);
  }

  @Test
  void theGoAgentRunsInstead() {
    var taken = new Schedule.OfTheGoAgent("insights-agent/kyverno-policy-sync");
    shows("go-agent", status(inSync(), facts(free(), taken)), false);
  }

  @Test
  void theSourceCannotBeRead() {
    var look =
        new Inspection.NoFeed(
            "GET https://insights.example.com/v0/organizations/acme/clusters/prod-1/kyverno-policies:"
                + " HTTP 503; try again later");

    shows("source-unread", status(look, WELL), false);
  }

  @Test
  void peopleLeaveSomeAloneAndNamesAreTaken() {
    var pause = new LiveStatus.Pause(Optional.of("kubectl-annotate"), Optional.of(NOW));
    var plan =
        new PlanDraft()
            .unchanged(POLICIES)
            .ignored(
                List.of(
                    new Plan.Ignored(clusterPolicyId("paused"), pause, Plan.Ignored.Feed.DIFFERS)))
            .terminating(
                List.of(
                    new Plan.Terminating(
                        clusterPolicyId("going"), Optional.of(NOW.minusSeconds(60)))))
            .conflicts(
                List.of(new Plan.Conflict(clusterPolicyId("taken"), "it is not owned by us")))
            .plan();

    shows("left-alone", status(compared(plan), WELL), false);
  }

  @Test
  void kyverno120ExecutesNoLegacyPolicies() {
    var reason = "it has no effect: Kyverno 1.20.0 does not execute ClusterPolicy.kyverno.io";
    var look =
        compared(
            new PlanDraft().unchanged(POLICIES).plan(),
            new NotInForce(POLICIES.get(0), NotInForce.Cause.RELEASE, reason),
            new NotInForce(POLICIES.get(1), NotInForce.Cause.RELEASE, reason));

    shows("kyverno-1.20", status(look, with(Optional.of(kyverno("v1.20.0")))), false);
  }

  @Test
  void exceptionsEndAndAnApprovalWaits() {
    var facts =
        new ClusterFacts(
            Optional.of("v1.36.3"),
            List.of(),
            Optional.of(kyverno("v1.19.1")),
            Optional.of(free()),
            onTime(),
            List.of(
                new GivenApproval(
                    "removals",
                    "sha256:2c26b46b68ff",
                    Optional.of("kubectl-annotate"),
                    Optional.of(NOW.minusSeconds(600)))),
            List.of(
                expiring("legacy", Duration.ofDays(-1)),
                expiring("migration", Duration.ofDays(6)),
                expiring("far-away", Duration.ofDays(60))),
            List.of(),
            List.of());

    shows("expiring", status(inSync(), facts), true);
  }

  @Test
  void littleMayBeRead() {
    var facts =
        new ClusterFacts(
            Optional.of("v1.33.1"),
            List.of("NamespacedMutatingPolicy", "MutatingAdmissionPolicy"),
            Optional.empty(),
            Optional.empty(),
            new Schedule.Unread(),
            List.of(),
            List.of(),
            List.of(),
            List.of(
                "read Lease insights-agent/kyverno-policy-sync-lock: HTTP 403",
                "read CronJob insights-agent/kyverno-policy-sync: HTTP 403"));
    var plan =
        new PlanDraft()
            .unchanged(POLICIES)
            .unlistable(
                List.of(
                    new Plan.Unlistable(
                        PolicyKind.DELETING_POLICY,
                        0,
                        new Failure(Failure.Cause.FORBIDDEN, "list DeletingPolicies: HTTP 403"))))
            .plan();

    shows("little-read", status(compared(plan), facts), false);
  }

  @Test
  void isShownInTheDocumentationAsItIs() throws IOException {
    assertThat(Files.readString(Path.of("docs/status.md")))
        .contains(Files.readString(Path.of("src/test/resources/cli/status/drift.txt")));
  }

  @Test
  void theClusterCannotBeRead() {
    var inspection =
        new Inspection.NoCluster(
            "read /version: HTTP 401, Unauthorized; the token of the kubeconfig has expired");

    shows("no-cluster", status(inspection, ClusterFacts.UNKNOWN), false);
  }

  @Test
  void successorsOnlyAuditOrAreSideBySide() {
    var audits = PolicyId.of(PolicyKind.VALIDATING_POLICY, "require-team-label");
    var beside = PolicyId.of(PolicyKind.VALIDATING_POLICY, "disallow-latest-tag");
    var plan =
        new PlanDraft()
            .unchanged(Stream.concat(POLICIES.stream(), Stream.of(audits, beside)).toList())
            .successions(
                Map.of(
                    audits,
                    new Succession(
                        clusterPolicyId("require-team-label"), Succession.Stage.REHEARSAL),
                    beside,
                    new Succession(
                        clusterPolicyId("disallow-latest-tag"), Succession.Stage.SIDE_BY_SIDE)))
            .plan();

    shows("rehearsal", status(compared(plan), WELL), true);
  }

  /// A finalizer takes seconds. One that takes longer than ten minutes waits for somebody.
  @Test
  void aFinalizerTakesTooLong() {
    var plan =
        new PlanDraft()
            .unchanged(POLICIES)
            .terminating(
                List.of(
                    new Plan.Terminating(
                        clusterPolicyId("stuck"), Optional.of(NOW.minusSeconds(86_400))),
                    new Plan.Terminating(
                        clusterPolicyId("going"), Optional.of(NOW.minusSeconds(60)))))
            .plan();

    shows("finalizer", status(compared(plan), WELL), false);
  }

  @Test
  void aRemovalThatJustBeganIsNoProblem() {
    var going = new Plan.Terminating(clusterPolicyId("going"), Optional.of(NOW.minusSeconds(60)));
    var plan = new PlanDraft().unchanged(POLICIES).terminating(List.of(going)).plan();

    assertThat(status(compared(plan), WELL).well()).isTrue();
  }

  /// The API server itself executes admission policies.
  @Test
  void noPolicyNeedsKyverno() {
    var run = StatusFixtures.run(new PlanDraft().unchanged(POLICIES).plan(), Optional.empty());
    var down = new KyvernoHealth.NotRunning("Kyverno is not running: no Lease of it is there");

    assertThat(status(new Inspection.Compared(run, RecentErrors.NONE, down), WELL))
        .satisfies(status -> assertThat(status.well()).isTrue())
        .satisfies(status ->
            assertThat(new StatusText(TextStyle.PLAIN, 80).write(status).toString())
                .contains("Kyverno is not running"));
  }

  /// A kind that may not be listed is one cause, not one for each of its policies.
  @Test
  void aRoleIsMissing() {
    var unlistable =
        Stream.of(PolicyKind.CLUSTER_POLICY, PolicyKind.VALIDATING_POLICY)
            .map(kind ->
                new Plan.Unlistable(
                    kind,
                    28,
                    new Failure(
                        Failure.Cause.FORBIDDEN,
                        "list " + kind.qualified() + ": HTTP 403, Forbidden; grant list")))
            .toList();
    var rejected =
        IntStream.range(0, 56)
            .mapToObj(i -> {
              var id =
                  i % 2 == 0
                      ? clusterPolicyId("p-" + i)
                      : PolicyId.of(PolicyKind.VALIDATING_POLICY, "p-" + i);
              return new Plan.Rejected(
                  id.toString(),
                  Optional.of(id.name()),
                  Optional.of(id),
                  unlistable.get(i % 2).failure());
            })
            .toList();
    var plan = new PlanDraft().rejected(rejected).unlistable(unlistable).plan();

    shows("no-role", status(compared(plan), WELL), false);
  }

  @ParameterizedTest
  @CsvSource({"PLAIN, 80", "PLAIN, 200", "COLOURED, 80", "COLOURED, 200"})
  void showsTheWorstFirst(TextStyle textStyle, int columns) {
    var written =
        new StatusText(textStyle, columns)
            .write(status(compared(manyProblems(), Optional.of(APPROVAL)), WELL));

    Golden.assertEqual(
        "status/many-" + textStyle.name().toLowerCase(Locale.ROOT) + "-" + columns + ".txt",
        written);
  }

  /// The terminal breaks no line, and a command can be copied as it stands.
  @Test
  void fitsTheTerminal() {
    var written =
        new StatusText(TextStyle.PLAIN, 80)
            .write(status(compared(manyProblems(), Optional.of(APPROVAL)), WELL));

    assertThat(written.toString().lines()).allMatch(line -> line.length() <= 80);
    assertThat(written.toString().replaceAll(" \\\\\n +", " ")).contains(APPROVAL.command());
  }

  private static Plan manyProblems() {
    return new PlanDraft()
        .unchanged(POLICIES)
        .actions(List.of(drift("edited", "kubectl-edit")))
        .withhold(List.of(new Plan.Withheld(clusterPolicyId("old"), Guard.OVER_BUDGET)))
        .rejected(
            List.of(
                new Plan.Rejected(
                    "feed.yaml, document 3",
                    Optional.empty(),
                    Optional.empty(),
                    new Failure(
                        Failure.Cause.UNREADABLE,
                        "it is not a policy that the agent can apply: apiVersion"
                            + " kyverno.io/v3 is not known, and no other version of it is served"))))
        .plan();
  }

  private static void shows(String name, SyncStatus syncStatus, boolean well) {
    assertThat(syncStatus.well()).isEqualTo(well);
    Golden.assertEqual(
        "status/" + name + ".txt", new StatusText(TextStyle.PLAIN, 80).write(syncStatus));
    Golden.assertEqual("status/" + name + ".json", StatusJson.write(syncStatus) + "\n");
  }

  private static Action drift(String name, String by) {
    var policy = desired(clusterPolicy(name));
    return new Action.Update(policy, version(policy.id()), Action.Cause.DRIFTED, Set.of(by));
  }

  private static ExpiringException expiring(String name, Duration in) {
    return new ExpiringException(
        PolicyId.of(PolicyKind.CEL_EXCEPTION, "shop", name).toString(), NOW.plus(in));
  }

  private static ClusterFacts with(Optional<ClusterFacts.Kyverno> kyverno) {
    return new ClusterFacts(
        WELL.kubernetes(),
        WELL.missingKinds(),
        kyverno,
        WELL.lease(),
        WELL.schedule(),
        List.of(),
        List.of(),
        List.of(),
        List.of());
  }
}
