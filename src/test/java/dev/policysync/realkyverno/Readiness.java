package dev.policysync.realkyverno;

import dev.policysync.base.Value;
import dev.policysync.policy.PolicyId;
import dev.policysync.testcluster.RawApi;
import dev.policysync.testcluster.TimeLimits;
import java.time.Duration;
import java.util.Set;
import org.awaitility.Awaitility;

/// What Kyverno says in a policy's status of whether it does its work.
final class Readiness {
  /// Kinds of which Kyverno 1.19 says nothing, and those that are not its own.
  private static final Set<String> UNSAID =
      Set.of(
          "CleanupPolicy",
          "ClusterCleanupPolicy",
          "DeletingPolicy",
          "NamespacedDeletingPolicy",
          "GlobalContextEntry",
          "PolicyException",
          "ValidatingAdmissionPolicy",
          "ValidatingAdmissionPolicyBinding");

  private Readiness() {}

  /// Waits until it is said; kinds of which nothing is said are ready as soon as they are there.
  static void await(RawApi api, PolicyId id) {
    Awaitility.await("Kyverno to be ready for " + id)
        .atMost(TimeLimits.WAIT)
        .pollInterval(Duration.ofMillis(250))
        .until(() -> of(api, id), said -> said.equals("ready"));
  }

  /// `ready`, or what the status says instead.
  private static String of(RawApi api, PolicyId id) {
    var status = api.get(RawApi.path(id, version(id))).ok().mapping("status");
    if (UNSAID.contains(id.kind().kind())) {
      return "ready";
    }
    var cel = status.mapping("conditionStatus").field("ready");
    var ready =
        cel.isPresent()
            ? cel.get().equals(new Value.Bool(true))
            : status.items("conditions").stream()
                .map(Value.Mapping.class::cast)
                .anyMatch(condition ->
                    condition.text("type").orElse("").equals("Ready")
                        && condition.text("status").orElse("").equals("True"));
    return ready ? "ready" : status.toString();
  }

  private static String version(PolicyId id) {
    return id.kind().versions().getFirst();
  }
}
