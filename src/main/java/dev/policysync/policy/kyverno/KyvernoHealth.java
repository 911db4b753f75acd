package dev.policysync.policy.kyverno;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// Whether Kyverno runs. Without it nothing executes a policy, however ready the policy's status
/// says it is: nobody is left to change that status (promise 15).
public sealed interface KyvernoHealth {
  /// The name of the Lease on which the leader of Kyverno's admission controller writes the time
  /// every 10 s; it deletes the Lease when its Deployment is scaled to 0 or deleted. Source:
  /// Kyverno 1.19, pkg/controllers/webhook/controller.go and pkg/webhooks/server.go.
  String LEASE = "kyverno-health";

  /// The annotation of [#LEASE] with the time: `2026-11-25T10:00:00Z`.
  String LAST_REQUEST = "kyverno.io/last-request-time";

  /// How old that time may be. Kyverno itself goes by 100 s; the rest is for clocks that differ and
  /// for a Pod that is being replaced.
  Duration FRESH = Duration.ofMinutes(5);

  /// It runs.
  ///
  /// @param namespace of the Lease
  /// @param age of the time in it; negative where Kyverno's clock is ahead
  record Running(String namespace, Duration age) implements KyvernoHealth {}

  /// It does not run.
  ///
  /// @param reason `Kyverno is not running: …`
  record NotRunning(String reason) implements KyvernoHealth {}

  /// Nobody knows whether it runs.
  ///
  /// @param reason why it could not be found out
  record Unknown(String reason) implements KyvernoHealth {}

  /// The health that the Lease shows.
  ///
  /// @param namespace of the Lease
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

  /// The health where no namespace has the Lease.
  static KyvernoHealth withoutLease() {
    return new NotRunning(
        "Kyverno is not running: no namespace has the Lease "
            + LEASE
            + " of its admission controller");
  }
}
