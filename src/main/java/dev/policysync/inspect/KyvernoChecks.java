package dev.policysync.inspect;

import dev.policysync.inspect.ClusterDiagnostics.Kyverno;
import dev.policysync.policy.kyverno.KyvernoVersion;
import java.util.List;

/// Checks that Kyverno is installed and ready. A run does not need this permission, so the agent
/// may lack it; the result is unknown then.
public final class KyvernoChecks {
  static final String KYVERNO = "Kyverno";

  private final ClusterDiagnostics clusterDiagnostics;

  public KyvernoChecks(ClusterDiagnostics clusterDiagnostics) {
    this.clusterDiagnostics = clusterDiagnostics;
  }

  public List<Check> all() {
    return List.of(Check.of(KYVERNO, this::kyverno).after(ClusterChecks.SERVER));
  }

  private List<CheckResult> kyverno() {
    return List.of(
        switch (clusterDiagnostics.kyverno()) {
          case ProbeResult.Got<Kyverno>(var kyverno) -> judge(kyverno);
          case ProbeResult.Absent<Kyverno>() ->
              CheckResult.warning(
                  KYVERNO,
                  "no Deployment kyverno-admission-controller or kyverno in namespaces kyverno"
                      + " and kyverno-system",
                  "install Kyverno, otherwise no policies are enforced; ignore this if it runs"
                      + " in another namespace");
          case ProbeResult.Forbidden<Kyverno>(var reason) -> CheckResult.unknown(KYVERNO, reason);
          case ProbeResult.Failed<Kyverno>(var reason) -> CheckResult.failure(KYVERNO, reason);
        });
  }

  private static CheckResult judge(Kyverno kyverno) {
    var found =
        kyverno.version()
            + ", Deployment "
            + kyverno.deployment()
            + ", "
            + kyverno.ready()
            + " of "
            + kyverno.wanted()
            + " replicas ready";
    var look = "run kubectl describe deployment --namespace=" + kyverno.namespace();
    if (kyverno.ready() == 0) {
      return CheckResult.failure(
          KYVERNO, found, "every apply is rejected while Kyverno is down: " + look);
    }
    if (kyverno.ready() < kyverno.wanted()) {
      return CheckResult.warning(KYVERNO, found, look);
    }
    return KyvernoVersion.parse(kyverno.version())
            .filter(version -> !version.executesLegacyKinds())
            .isPresent()
        ? CheckResult.warning(
            KYVERNO,
            found,
            "this release does not execute the policies of kyverno.io; policy-sync status lists"
                + " those that have no effect")
        : CheckResult.ok(KYVERNO, found);
  }
}
