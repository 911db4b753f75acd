package dev.policysync.inspect;

import dev.policysync.inspect.ClusterDiagnostics.Kinds;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.kyverno.KyvernoHealth;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Checks that Kyverno's webhooks validate what a run would write: they are registered, they are
/// called, and they accept a policy. Some of these checks need a permission that a run does not
/// need; without it the result is unknown.
public final class WebhookChecks {
  static final String WEBHOOKS = "Kyverno's webhooks";
  static final String HEALTH = "Kyverno's health";
  static final String DRY_RUN = "dry run";
  static final String POLICIES = "policies in Kyverno's webhooks";

  /// The webhook configurations with which Kyverno validates policies and the other kinds that the
  /// agent writes. The first always exists (Kyverno 1.19.0, `pkg/config`).
  private static final List<String> CONFIGURATIONS =
      List.of(
          "kyverno-policy-validating-webhook-cfg",
          "kyverno-exception-validating-webhook-cfg",
          "kyverno-cel-exception-validating-webhook-cfg",
          "kyverno-global-context-validating-webhook-cfg",
          "kyverno-cleanup-validating-webhook-cfg");

  /// The kinds to try in the dry run, the best first; a kind may be missing, or removed in a later
  /// version.
  private static final List<PolicyKind> TRIED =
      List.of(PolicyKind.CLUSTER_POLICY, PolicyKind.VALIDATING_POLICY);

  private final ClusterDiagnostics clusterDiagnostics;
  private final WebhookDiagnostics webhookDiagnostics;
  private final FullPolicies fullPolicies;
  private final Set<PolicyKind> excluded;

  /// @param excluded the kinds that runs neither list nor write
  public WebhookChecks(
      ClusterDiagnostics clusterDiagnostics,
      WebhookDiagnostics webhookDiagnostics,
      FullPolicies fullPolicies,
      Set<PolicyKind> excluded) {
    this.clusterDiagnostics = clusterDiagnostics;
    this.webhookDiagnostics = webhookDiagnostics;
    this.fullPolicies = fullPolicies;
    this.excluded = Set.copyOf(excluded);
  }

  public List<Check> all() {
    return List.of(
        Check.of(WEBHOOKS, this::webhooks).after(ClusterChecks.SERVER),
        Check.of(HEALTH, this::health).after(ClusterChecks.SERVER),
        Check.of(POLICIES, this::policies).after(ClusterChecks.KINDS),
        Check.of(DRY_RUN, this::dryRun).after(ClusterChecks.KINDS));
  }

  private List<CheckResult> webhooks() {
    var answers = new ArrayList<CheckResult>();
    var registered = new ArrayList<String>();
    var forbidden = new ArrayList<String>();
    for (var name : CONFIGURATIONS) {
      switch (webhookDiagnostics.webhooks(name)) {
        case ProbeResult.Got<List<String>>(var targets) -> {
          if (targets.isEmpty() || targets.contains("")) {
            answers.add(
                CheckResult.failure(
                    WEBHOOKS,
                    name + " has no target or no CA bundle",
                    "restart Kyverno to recreate it: kubectl rollout restart"));
          } else {
            registered.add(name + " → " + targets.getFirst());
          }
        }
        case ProbeResult.Absent<List<String>>() -> absent(name).ifPresent(answers::add);
        case ProbeResult.Forbidden<List<String>>(var reason) -> forbidden.add(reason);
        case ProbeResult.Failed<List<String>>(var reason) ->
            answers.add(CheckResult.failure(WEBHOOKS, reason));
      }
    }
    // One permission covers all configurations, so one result is enough.
    forbidden.stream()
        .limit(1)
        .map(reason -> CheckResult.unknown(WEBHOOKS, reason))
        .forEach(answers::add);
    if (!registered.isEmpty()) {
      answers.addFirst(CheckResult.ok(WEBHOOKS, String.join(", ", registered)));
    }
    return answers;
  }

  /// Warns if the configuration for policies is missing; the others depend on features of Kyverno.
  private static Optional<CheckResult> absent(String name) {
    return name.equals(CONFIGURATIONS.getFirst())
        ? Optional.of(
            CheckResult.warning(
                WEBHOOKS,
                name + " not found",
                "Kyverno is not installed or has not started yet; until then policies are"
                    + " applied without validation"))
        : Optional.empty();
  }

  private List<CheckResult> health() {
    return List.of(
        switch (webhookDiagnostics.health()) {
          case KyvernoHealth.Running(var namespace, var age) ->
              CheckResult.ok(
                  HEALTH,
                  "running, renewed Lease "
                      + namespace
                      + "/"
                      + KyvernoHealth.LEASE
                      + " "
                      + Math.max(0, age.toSeconds())
                      + " s ago");
          case KyvernoHealth.NotRunning(var reason) ->
              CheckResult.failure(
                  HEALTH,
                  reason,
                  "until Kyverno runs, no policy is in force and each sync fails: install it, or see"
                      + " the log of its admission controller");
          case KyvernoHealth.Unknown(var reason) -> CheckResult.unknown(HEALTH, reason);
        });
  }

  private List<CheckResult> policies() {
    var breakers = WebhookBreakers.find(fullPolicies, excluded);
    if (!breakers.unread().isEmpty()) {
      return List.of(CheckResult.unknown(POLICIES, breakers.unread().getFirst()));
    }
    if (breakers.policies().isEmpty()) {
      return List.of(CheckResult.ok(POLICIES, "none prevents Kyverno from writing them"));
    }
    return breakers.policies().stream()
        .map(breaker ->
            CheckResult.failure(
                POLICIES,
                breaker.policy() + " breaks Kyverno's webhook configuration: " + breaker.reason(),
                "correct or remove it; until then no change of any policy has an effect"))
        .toList();
  }

  private List<CheckResult> dryRun() {
    if (!(clusterDiagnostics.kinds() instanceof ProbeResult.Got<Kinds>(var kinds))) {
      return List.of(CheckResult.unknown(DRY_RUN, "the served kinds are unknown"));
    }
    var tried = TRIED.stream().filter(kind -> !excluded.contains(kind)).toList();
    for (var kind : tried) {
      var version = kinds.versions().get(kind);
      if (version != null) {
        return List.of(tried(kind, version));
      }
    }
    return List.of(
        CheckResult.unknown(DRY_RUN, "none of the kinds that it uses is served: " + tried));
  }

  private CheckResult tried(PolicyKind kind, String version) {
    return switch (webhookDiagnostics.tryOut(kind, version)) {
      case ProbeResult.Got<String>(var found) -> CheckResult.ok(DRY_RUN, found);
      case ProbeResult.Absent<String>() ->
          CheckResult.unknown(
              DRY_RUN, kind + " is no longer served; its CRD may have been deleted or replaced");
      case ProbeResult.Forbidden<String>(var reason) -> CheckResult.unknown(DRY_RUN, reason);
      case ProbeResult.Failed<String>(var reason) -> CheckResult.failure(DRY_RUN, reason);
    };
  }
}
