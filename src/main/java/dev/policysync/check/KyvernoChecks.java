package dev.policysync.check;

import dev.policysync.check.ClusterDiagnostics.Kyverno;
import java.util.List;

/// Whether Kyverno is there and runs. A run does not need to know: it may be forbidden to us, and
/// then cannot be asked.
public final class KyvernoChecks {
  static final String KYVERNO = "Kyverno";

  private final ClusterDiagnostics clusterDiagnostics;

  public KyvernoChecks(ClusterDiagnostics clusterDiagnostics) {
    this.clusterDiagnostics = clusterDiagnostics;
  }

  /// The question.
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
                  "there is no Deployment kyverno-admission-controller or kyverno in the namespaces"
                      + " kyverno and kyverno-system",
                  "install Kyverno, or nothing enforces its policies; where it runs in another"
                      + " namespace, all is well");
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
    var look =
        "kubectl describe deployment --namespace=" + kyverno.namespace() + " shows what it lacks";
    if (kyverno.ready() == 0) {
      return CheckResult.failure(
          KYVERNO, found, "while it is down, every apply is refused: " + look);
    }
    return kyverno.ready() < kyverno.wanted()
        ? CheckResult.warning(KYVERNO, found, look)
        : CheckResult.ok(KYVERNO, found);
  }
}
