package dev.policysync.sync.analysis;

import dev.policysync.base.Parallel;
import dev.policysync.plan.Action;
import dev.policysync.plan.ActualPolicies;
import dev.policysync.plan.LivePolicy;
import dev.policysync.plan.OwnershipVerdict;
import dev.policysync.plan.Plan;
import dev.policysync.plan.SourceName;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.kyverno.KyvernoHealth;
import dev.policysync.policy.kyverno.KyvernoVersion;
import dev.policysync.sync.execution.ClusterUnavailable;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Finds the policies that are in sync and not executed (promise 15). The lists show which policies
/// are not ready; only these are read, for the reason.
public final class InForceCheck {
  /// How long Kyverno may take to see a policy and to configure its webhooks.
  static final Duration PATIENCE = Duration.ofMinutes(10);

  /// How many policies are read for the reason. If Kyverno is down, all policies have the same
  /// reason.
  static final int MOST_READ = 20;

  private static final Logger LOG = LoggerFactory.getLogger(InForceCheck.class);

  private final ExecutionSource source;
  private final SourceName ours;
  private final Clock clock;
  private final int concurrency;
  private @Nullable KyvernoHealth health;

  public InForceCheck(ExecutionSource source, SourceName ours, Clock clock, int concurrency) {
    this.source = source;
    this.ours = ours;
    this.clock = clock;
    this.concurrency = concurrency;
  }

  /// Returns whether Kyverno is running; read once per run.
  public synchronized KyvernoHealth health() {
    if (health == null) {
      health = source.health();
    }
    return health;
  }

  /// Returns the policies of the plan that are not in force. For a policy that the plan writes, it
  /// is not known yet whether it becomes ready, but whether the installed release executes its
  /// kind.
  public List<NotInForce> of(Plan plan, ActualPolicies actualPolicies) {
    var found = new TreeMap<PolicyId, NotInForce>();
    ofKnownRelease(plan, actualPolicies).forEach(policy -> found.put(policy.id(), policy));
    withoutEffect(plan, actualPolicies.byId()).forEach(policy -> found.put(policy.id(), policy));
    return List.copyOf(found.values());
  }

  /// Returns the policies that are not in force if the installed release is known to execute all
  /// kinds. Only an upgrade changes that, and reading the release takes two requests.
  public List<NotInForce> ofKnownRelease(Plan plan, ActualPolicies actualPolicies) {
    return health() instanceof KyvernoHealth.NotRunning(var reason)
        ? withoutKyverno(plan, reason)
        : notReady(plan, actualPolicies.byId());
  }

  /// Returns every policy that Kyverno would execute if it were running.
  private static List<NotInForce> withoutKyverno(Plan plan, String reason) {
    var written = plan.actions().stream().filter(Action.Write.class::isInstance).map(Action::id);
    return Stream.concat(plan.unchanged().stream(), written)
        .filter(id -> id.kind().role() == PolicyKind.Role.POLICY && !id.kind().builtIn())
        .sorted()
        .map(id -> new NotInForce(id, NotInForce.Cause.NO_KYVERNO, reason))
        .toList();
  }

  private List<NotInForce> notReady(Plan plan, Map<PolicyId, LivePolicy> live) {
    var late =
        plan.unchanged().stream()
            .map(live::get)
            .filter(Objects::nonNull)
            .filter(policy -> policy.liveStatus().readiness().isMissing())
            .filter(policy -> overdue(policy.liveStatus().applied()))
            .map(LivePolicy::id)
            .toList();
    var read = late.stream().limit(MOST_READ).toList();
    var notReady = new ArrayList<NotInForce>();
    Parallel.map(read, concurrency, "reading why policies are not ready", this::reason)
        .forEach((id, reason) -> reason.ifPresent(why -> notReady.add(notReady(id, why))));
    late.stream()
        .skip(MOST_READ)
        .forEach(id -> notReady.add(notReady(id, "Kyverno reports that it is not ready")));
    return notReady;
  }

  private static NotInForce notReady(PolicyId id, String reason) {
    return new NotInForce(id, NotInForce.Cause.NOT_READY, reason);
  }

  private Optional<String> reason(PolicyId id) {
    try {
      return source
          .notReady(id)
          .filter(notReady -> notReady.since().isEmpty() || overdue(notReady.since()))
          .map(notReady ->
              notReady.reason() + notReady.since().map(time -> " (since " + time + ")").orElse(""));
    } catch (ClusterUnavailable e) {
      return Optional.of("it is not ready, and why could not be read: " + e.failure().reason());
    }
  }

  /// Returns whether the time is too long ago. An unknown time is not too long ago.
  private boolean overdue(Optional<Instant> since) {
    return since
        .filter(time -> Duration.between(time, clock.instant()).compareTo(PATIENCE) >= 0)
        .isPresent();
  }

  private List<NotInForce> withoutEffect(Plan plan, Map<PolicyId, LivePolicy> live) {
    var going =
        plan.actions().stream()
            .filter(Action.Remove.class::isInstance)
            .map(Action::id)
            .collect(Collectors.toSet());
    var there =
        live.values().stream()
            .filter(policy -> OwnershipVerdict.of(policy, ours) instanceof OwnershipVerdict.Ours)
            .map(LivePolicy::id);
    var written = plan.actions().stream().filter(Action.Write.class::isInstance).map(Action::id);
    var legacy =
        Stream.concat(there, written)
            .filter(id -> id.kind().endsWithKyverno119() && !going.contains(id))
            .distinct()
            .toList();
    return legacy.isEmpty()
        ? List.of()
        : installed()
            .filter(version -> !version.executesLegacyKinds())
            .map(version ->
                legacy.stream()
                    .map(id ->
                        new NotInForce(id, NotInForce.Cause.RELEASE, noEffect(id.kind(), version)))
                    .toList())
            .orElse(List.of());
  }

  /// Returns the installed release. Empty if it cannot be read, which is not a failure here:
  /// `check` reports the missing permission.
  private Optional<KyvernoVersion> installed() {
    try {
      return source.installed();
    } catch (ClusterUnavailable e) {
      LOG.atDebug().addKeyValue("reason", e.failure().reason()).log("Kyverno's release unknown");
      return Optional.empty();
    }
  }

  private static String noEffect(PolicyKind kind, KyvernoVersion version) {
    return "it has no effect: Kyverno "
        + version
        + " does not execute "
        + kind.qualified()
        + "; replace it with a policy of policies.kyverno.io";
  }
}
