package dev.policysync.cli;

import static dev.policysync.plan.PlanFixtures.clusterPolicyId;

import dev.policysync.inspect.ClusterFacts;
import dev.policysync.inspect.ClusterFacts.Kyverno;
import dev.policysync.inspect.ClusterFacts.LeaseHolder;
import dev.policysync.inspect.Schedule;
import dev.policysync.inspect.SyncStatus;
import dev.policysync.plan.Plan;
import dev.policysync.plan.PlanDraft;
import dev.policysync.policy.Digest;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.kyverno.KyvernoHealth;
import dev.policysync.sync.AgentNamespace;
import dev.policysync.sync.ApprovalInstructions;
import dev.policysync.sync.Inspection;
import dev.policysync.sync.LeaseHold;
import dev.policysync.sync.RecentErrors;
import dev.policysync.sync.SyncResult;
import dev.policysync.sync.analysis.NotInForce;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A cluster in which all is well, and what may differ in it.
final class StatusFixtures {
  static final Instant NOW = Instant.parse("2026-11-22T10:00:00Z");
  static final List<PolicyId> POLICIES =
      List.of(
          clusterPolicyId("disallow-latest-tag"),
          clusterPolicyId("require-team-label"),
          PolicyId.of(PolicyKind.VALIDATING_POLICY, "restrict-registries"));

  static final KyvernoHealth RUNNING = new KyvernoHealth.Running("kyverno", Duration.ofSeconds(12));

  private static final Digest FEED = Digest.of(new byte[] {1});
  private static final String LEASE = "insights-agent/kyverno-policy-sync-lock";

  private StatusFixtures() {}

  static LeaseHolder free() {
    return new LeaseHolder(
        LEASE,
        Optional.empty(),
        Optional.empty(),
        Optional.of(NOW.minusSeconds(7_200)),
        LeaseHold.FREE,
        "");
  }

  static LeaseHolder heldFor(Duration time, LeaseHold hold) {
    return new LeaseHolder(
        LEASE,
        Optional.of("kyverno-policy-sync-29384120-x7k2p"),
        Optional.of(time),
        Optional.of(NOW.minusSeconds(5)),
        hold,
        "kubectl patch lease kyverno-policy-sync-lock --namespace=insights-agent --type=merge"
            + " --patch='{\"spec\":{\"holderIdentity\":\"\"}}'");
  }

  static Schedule schedule(boolean suspended, Duration lastRun, Duration lastSuccess, int active) {
    return new Schedule.CronJob(
        "insights-agent/kyverno-policy-sync",
        suspended,
        true,
        Optional.of(NOW.minus(lastRun)),
        Optional.of(NOW.minus(lastSuccess)),
        active);
  }

  static Schedule onTime() {
    return schedule(false, Duration.ofSeconds(190), Duration.ofSeconds(181), 0);
  }

  static Kyverno kyverno(String version) {
    return new Kyverno("kyverno/kyverno-admission-controller", Optional.of(version), 3, 3);
  }

  static ClusterFacts facts(LeaseHolder lease, Schedule schedule) {
    return new ClusterFacts(
        Optional.of("v1.36.3"),
        List.of(),
        Optional.of(kyverno("v1.19.1")),
        Optional.of(lease),
        schedule,
        List.of(),
        List.of(),
        List.of(),
        List.of());
  }

  static Inspection inSync() {
    return compared(new PlanDraft().unchanged(POLICIES).plan());
  }

  static Inspection compared(Plan plan, NotInForce... notInForce) {
    return compared(plan, Optional.empty(), notInForce);
  }

  static Inspection compared(
      Plan plan, Optional<ApprovalInstructions> removals, NotInForce... notInForce) {
    return new Inspection.Compared(run(plan, removals, notInForce), RecentErrors.NONE, RUNNING);
  }

  static SyncResult.Finished run(
      Plan plan, Optional<ApprovalInstructions> removals, NotInForce... notInForce) {
    return new SyncResult.Finished(
        plan,
        List.of(),
        FEED,
        Map.of(),
        removals,
        Optional.empty(),
        List.of(),
        List.of(notInForce),
        List.of(),
        Optional.empty());
  }

  static SyncStatus status(Inspection inspection, ClusterFacts facts) {
    var namespace =
        inspection instanceof Inspection.NoCluster
            ? Optional.<AgentNamespace>empty()
            : Optional.of(
                new AgentNamespace("insights-agent", "the agent's CronJob and Lease are there"));
    return SyncStatus.of(
        new SyncStatus.Target(
            "kind-prod at https://127.0.0.1:6443",
            namespace,
            "acme/prod-1",
            Optional.of("http://pushgateway.monitoring.svc:9091")),
        inspection,
        facts,
        NOW);
  }
}
