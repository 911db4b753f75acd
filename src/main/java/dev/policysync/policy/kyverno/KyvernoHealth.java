package dev.policysync.policy.kyverno;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// Whether Kyverno runs. If it does not, nothing executes a policy, even if the policy's status
/// says that it is ready, because nothing updates that status (promise 15).
public sealed interface KyvernoHealth {
  /// The name of the Lease on which the leader of Kyverno's admission controller writes the time
  /// every 10 s. The leader deletes the Lease when its Deployment is scaled to 0 or deleted.
  /// Source: Kyverno 1.19, pkg/controllers/webhook/controller.go and pkg/webhooks/server.go.
  String LEASE = "kyverno-health";

  /// The annotation of [#LEASE] that holds the time: `2026-11-25T10:00:00Z`.
  String LAST_REQUEST = "kyverno.io/last-request-time";

  /// The maximum age of that time. Kyverno itself allows 100 s; the rest allows for different
  /// clocks and for a Pod that is being replaced.
  Duration FRESH = Duration.ofMinutes(5);

  /// Kyverno runs.
  ///
  /// @param namespace the namespace of the Lease
  /// @param age the age of the time in the Lease; negative if Kyverno's clock is ahead
  record Running(String namespace, Duration age) implements KyvernoHealth {}

  /// Kyverno does not run.
  ///
  /// @param reason `Kyverno is not running: …`
  record NotRunning(String reason) implements KyvernoHealth {}

  /// It is unknown whether Kyverno runs.
  record Unknown(String reason) implements KyvernoHealth {}

  /// Returns the health according to the Lease.
  ///
  /// @param namespace the namespace of the Lease
  /// @param lastRequest the time in its annotation
  static KyvernoHealth of(String namespace, Optional<Instant> lastRequest, Instant now) {
    var age = lastRequest.map(time -> Duration.between(time, now));
    if (age.filter(time -> time.compareTo(FRESH) <= 0).isPresent()) {
      return new Running(namespace, age.get());
    }
    return new NotRunning(
        "Kyverno is not running: its admission controller "
            + lastRequest
                .map(time -> "has not renewed Lease " + namespace + "/" + LEASE + " since " + time)
                .orElse("wrote no time on Lease " + namespace + "/" + LEASE));
  }

  /// Returns the health if no namespace has the Lease.
  static KyvernoHealth withoutLease() {
    return new NotRunning(
        "Kyverno is not running: no namespace has the Lease "
            + LEASE
            + " of its admission controller");
  }
}
