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
import dev.policysync.sync.AgentNamespace;
import dev.policysync.sync.ApprovalInstructions;
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

  private static final Digest FEED = Digest.of(new byte[] {1});
  private static final String LEASE = "insights-agent/kyverno-policy-sync-lock";

  private StatusFixtures() {}

  static LeaseHolder free() {
    return new LeaseHolder(
        LEASE, Optional.empty(), Optional.empty(), Optional.of(NOW.minusSeconds(7_200)), false, "");
  }

  static LeaseHolder heldFor(Duration time, boolean stuck) {
    return new LeaseHolder(
        LEASE,
        Optional.of("kyverno-policy-sync-29384120-x7k2p"),
        Optional.of(time),
        Optional.of(NOW.minusSeconds(5)),
        stuck,
        "kubectl delete lease kyverno-policy-sync-lock --namespace=insights-agent");
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
        List.of());
  }

  static SyncResult inSync() {
    return result(new PlanDraft().unchanged(POLICIES).plan());
  }

  static SyncResult result(Plan plan, NotInForce... notInForce) {
    return result(plan, Optional.empty(), notInForce);
  }

  static SyncResult result(
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

  static SyncStatus status(SyncResult look, ClusterFacts facts) {
    return SyncStatus.of(
        "acme/prod-1",
        Optional.of("http://pushgateway.monitoring.svc:9091"),
        look,
        new AgentNamespace("insights-agent", "the agent's CronJob and Lease are there"),
        facts,
        NOW);
  }
}
