package dev.policysync.cli;

import static dev.policysync.cli.StatusFixtures.NOW;
import static dev.policysync.cli.StatusFixtures.POLICIES;
import static dev.policysync.cli.StatusFixtures.RUNNING;
import static dev.policysync.cli.StatusFixtures.facts;
import static dev.policysync.cli.StatusFixtures.free;
import static dev.policysync.cli.StatusFixtures.heldFor;
import static dev.policysync.cli.StatusFixtures.onTime;
import static dev.policysync.cli.StatusFixtures.schedule;
import static dev.policysync.cli.StatusFixtures.status;
import static dev.policysync.plan.PlanFixtures.clusterPolicyId;
import static dev.policysync.plan.PlanFixtures.desired;
import static dev.policysync.policy.PolicyFixtures.clusterPolicy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.cli.sync.SummaryText;
import dev.policysync.inspect.ClusterFacts;
import dev.policysync.plan.Action;
import dev.policysync.plan.Failure;
import dev.policysync.plan.Guard;
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
import dev.policysync.sync.Summary;
import dev.policysync.sync.SyncResult;
import dev.policysync.sync.analysis.NotInForce;
import dev.policysync.sync.execution.Outcome;
import dev.policysync.sync.execution.StopReason;
import dev.policysync.sync.execution.WriteMode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What a run and `status` say in the ten situations of the runbook (`docs/operations.md`), at a
/// terminal of 80 columns.
class BadNightTest {
  private static final Digest FEED = Digest.of(new byte[] {1});
  private static final ClusterFacts FACTS =
      facts(free(), schedule(false, Duration.ofSeconds(190), Duration.ofMinutes(52), 0));
  private static final ApprovalInstructions APPROVAL =
      new ApprovalInstructions(
          Digest.of(new byte[] {2}),
          "kubectl annotate lease kyverno-policy-sync-lock --namespace=insights-agent"
              + " --overwrite policysync.dev/approve-removals=sha256:2c26b46b68ff");

  @Test
  void aPolicyIsRefused() {
    var failed =
        Stream.of("disallow-host-path", "require-limits")
            .map(name ->
                failed(
                    name,
                    Failure.Cause.DENIED,
                    "HTTP 400, admission webhook \"validate-policy.kyverno.svc\" denied the"
                        + " request: spec.rules[0].match: Required value"))
            .toList();

    shows("A policy is refused", wrote(failed), compared(failed), FACTS);
  }

  @Test
  void theFeedIsEmpty() {
    var plan = new PlanDraft().withhold(withheld(34, Guard.EMPTY_FEED, "")).plan();

    shows("The feed is empty", run(plan, List.of()), FACTS);
  }

  @Test
  void removalsAreWithheld() {
    var detail = "12 requested; MAX_REMOVALS=20% allows 3 of 15";
    var plan =
        new PlanDraft()
            .unchanged(POLICIES)
            .withhold(withheld(12, Guard.OVER_BUDGET, detail))
            .plan();

    shows("Removals are withheld", run(plan, List.of()), FACTS);
  }

  @Test
  void aPolicyOfThatNameExists() {
    var plan =
        new PlanDraft()
            .unchanged(POLICIES)
            .conflicts(
                List.of(
                    new Plan.Conflict(
                        clusterPolicyId("taken"),
                        "an object of this name exists and is not managed by policy-sync")))
            .plan();

    shows("A policy of that name exists", run(plan, List.of()), FACTS);
  }

  @Test
  void theLeaseIsHeld() {
    var skipped =
        new SyncResult.Skipped(
            "kyverno-policy-sync-29384120-x7k2p",
            FEED,
            Optional.of(
                "acquired at 2026-11-22T01:00:00Z, longer ago than any run takes; if no such run"
                    + " exists, release the Lease: kubectl patch lease kyverno-policy-sync-lock …"));
    var held = facts(heldFor(Duration.ofHours(9), LeaseHold.STUCK), onTime());

    shows("The Lease is held", skipped, StatusFixtures.inSync(), held);
  }

  @Test
  void theTokenIsNotAccepted() {
    var reason =
        "GET https://insights.example.com/v0/organizations/acme/clusters/prod-1/kyverno-policies:"
            + " returned 401: the token is not accepted; check FAIRWINDS_TOKEN or"
            + " FAIRWINDS_TOKEN_FILE, and that the token still exists";

    shows(
        "The token is not accepted",
        new SyncResult.Refused(reason, false),
        new Inspection.NoFeed(reason),
        FACTS);
  }

  @Test
  void aCrdIsMissing() {
    var rejected =
        IntStream.range(0, 3)
            .mapToObj(i -> PolicyId.of(PolicyKind.VALIDATING_POLICY, "v-" + i))
            .map(id ->
                new Plan.Rejected(
                    id.toString(),
                    Optional.of(id.name()),
                    Optional.of(id),
                    new Failure(
                        Failure.Cause.KIND_ABSENT,
                        "the cluster does not serve the kind ValidatingPolicy.policies.kyverno.io;"
                            + " install or upgrade Kyverno")))
            .toList();
    var plan = new PlanDraft().unchanged(POLICIES.subList(0, 2)).rejected(rejected).plan();

    shows("A CRD is missing", run(plan, List.of()), FACTS);
  }

  @Test
  void aWebhookDoesNotRespond() {
    var outcomes = new ArrayList<Outcome>();
    for (var name : List.of("a", "b", "c")) {
      outcomes.add(
          failed(
              name,
              Failure.Cause.WEBHOOK_UNREACHABLE,
              "HTTP 500, Internal error occurred: failed calling webhook"
                  + " \"validate-policy.kyverno.svc\": connection refused; check that Kyverno is"
                  + " running"));
    }
    for (var name : List.of("d", "e", "f", "g")) {
      outcomes.add(
          new Outcome.NotAttempted(
              new Action.Create(desired(clusterPolicy(name))),
              StopReason.WEBHOOK_DOWN,
              "validate-policy.kyverno.svc"));
    }

    shows("A webhook does not respond", wrote(outcomes), compared(outcomes), FACTS);
  }

  @Test
  void aConversionIsStuck() {
    var successor = PolicyId.of(PolicyKind.VALIDATING_POLICY, "require-team-label");
    var legacy = clusterPolicyId("require-team-label");
    var plan =
        new PlanDraft()
            .unchanged(Stream.concat(POLICIES.stream(), Stream.of(successor)).toList())
            .successions(Map.of(successor, new Succession(legacy, Succession.Stage.REHEARSAL)))
            .plan()
            .withholdingReplacement(
                List.of(
                    new Plan.Withheld(
                        legacy, Guard.REHEARSAL, "verdicts differ for 1 resource: Pod/shop/cart")));

    shows("A conversion is stuck", run(plan, List.of()), FACTS);
  }

  @Test
  void kyvernoDoesNotRun() {
    var reason =
        "Kyverno is not running: its admission controller has not renewed Lease"
            + " kyverno/kyverno-health since 2026-11-22T09:12:00Z";
    var plan = new PlanDraft().unchanged(POLICIES).plan();
    var without =
        POLICIES.stream()
            .map(id -> new NotInForce(id, NotInForce.Cause.NO_KYVERNO, reason))
            .toList();
    var run = finished(plan, List.of(), without);

    shows(
        "Kyverno does not run",
        run,
        new Inspection.Compared(run, RecentErrors.NONE, new KyvernoHealth.NotRunning(reason)),
        FACTS);
  }

  private static void shows(String situation, SyncResult.Finished run, ClusterFacts facts) {
    shows(situation, run, new Inspection.Compared(run, RecentErrors.NONE, RUNNING), facts);
  }

  private static void shows(
      String situation, SyncResult sync, Inspection inspection, ClusterFacts facts) {
    var summary = Summary.of(sync, WriteMode.LIVE, Duration.ofMillis(1_400), NOW);
    var detail = new SummaryText.Detail(OutputFormat.TEXT, false, false);
    var status = status(inspection, facts);
    var text =
        new TerminalText()
            .line("$ policy-sync sync")
            .append(SummaryText.write(summary, TextStyle.PLAIN, detail, 80))
            .line()
            .line("$ policy-sync status")
            .append(new StatusText(TextStyle.PLAIN, 80).write(status));
    var golden = "night/" + situation.toLowerCase(Locale.ROOT).replace(' ', '-');

    assertThat(status.well()).isFalse();
    Golden.assertEqual(golden + ".txt", text);
    Golden.assertEqual(golden + ".json", StatusJson.write(status) + "\n");
    assertThat(runbook()).contains("\n### " + situation + "\n");
  }

  private static String runbook() {
    try {
      return Files.readString(Path.of("docs/operations.md"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Plan.Withheld> withheld(int count, Guard guard, String detail) {
    return IntStream.range(0, count)
        .mapToObj(i -> new Plan.Withheld(clusterPolicyId("old-%02d".formatted(i)), guard, detail))
        .toList();
  }

  private static Outcome failed(String name, Failure.Cause cause, String answer) {
    var action = new Action.Create(desired(clusterPolicy(name)));
    return new Outcome.Failed(action, new Failure(cause, "apply " + action.id() + ": " + answer));
  }

  private static SyncResult.Finished wrote(List<Outcome> outcomes) {
    return run(planned(outcomes), outcomes);
  }

  /// What `status` finds out afterwards: the policies are still to be written.
  private static Inspection compared(List<Outcome> outcomes) {
    var errors = new TreeMap<PolicyId, RecentErrors.RecentError>();
    for (var outcome : outcomes) {
      var reason =
          switch (outcome) {
            case Outcome.Failed(_, var failure) -> failure.reason();
            case Outcome.NotAttempted untried -> untried.reason();
            default -> throw new AssertionError(outcome);
          };
      errors.put(
          outcome.action().id(), new RecentErrors.RecentError(NOW.minusSeconds(2_880), reason));
    }
    return new Inspection.Compared(
        run(planned(outcomes), List.of()), new RecentErrors(errors), RUNNING);
  }

  private static Plan planned(List<Outcome> outcomes) {
    return new PlanDraft()
        .unchanged(POLICIES)
        .actions(outcomes.stream().map(Outcome::action).toList())
        .plan();
  }

  private static SyncResult.Finished run(Plan plan, List<Outcome> outcomes) {
    return finished(plan, outcomes, List.of());
  }

  private static SyncResult.Finished finished(
      Plan plan, List<Outcome> outcomes, List<NotInForce> notInForce) {
    return new SyncResult.Finished(
        plan,
        outcomes,
        FEED,
        Map.of(),
        plan.withheldRemovals().isEmpty() ? Optional.empty() : Optional.of(APPROVAL),
        Optional.empty(),
        List.of(),
        notInForce,
        List.of(),
        Optional.empty());
  }
}
