package dev.policysync.inspect;

import dev.policysync.plan.Approval;
import dev.policysync.policy.kyverno.KyvernoVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// What is around the policies of a cluster.
///
/// @param kubernetes the API server's version: `v1.36.3`
/// @param missingKinds kinds of policies that the cluster does not serve
/// @param kyverno the admission controller, where it was found
/// @param lease the agent's Lease
/// @param schedule what starts the agent's runs
/// @param approvals who approved what on the Lease
/// @param expiring exceptions with a date on which they end, the earliest first
/// @param unread what could not be read, and why
public record ClusterFacts(
    Optional<String> kubernetes,
    List<String> missingKinds,
    Optional<Kyverno> kyverno,
    Optional<LeaseHolder> lease,
    Schedule schedule,
    List<GivenApproval> approvals,
    List<ExpiringException> expiring,
    List<String> unread) {
  /// Kyverno's admission controller.
  ///
  /// @param deployment `kyverno/kyverno-admission-controller`
  /// @param image the tag of its image: `v1.19.1`
  public record Kyverno(String deployment, Optional<String> image, int ready, int wanted) {
    /// Its release, where the tag is one.
    public Optional<KyvernoVersion> version() {
      return image.flatMap(KyvernoVersion::parse);
    }
  }

  /// A Lease without a holder is free.
  ///
  /// @param name `insights-agent/kyverno-policy-sync-lock`
  /// @param held for how long, where it says so
  /// @param renewed when it was written last: a run without changes takes no Lease
  /// @param stuck whether somebody holds it who cannot be a run at work
  /// @param howToFree the command that takes it from a holder that is gone
  public record LeaseHolder(
      String name,
      Optional<String> holder,
      Optional<Duration> held,
      Optional<Instant> renewed,
      boolean stuck,
      String howToFree) {}

  /// A person's approval that waits to be used.
  ///
  /// @param what `removals`
  /// @param list the digest of the approved list
  /// @param by the field manager that set the annotation
  /// @param given when, by the API server's clock
  public record GivenApproval(
      String what, String list, Optional<String> by, Optional<Instant> given) {
    /// When it ends, where it is known when it was given.
    public Optional<Instant> until() {
      return given.map(time -> time.plus(Approval.VALID));
    }
  }

  /// An exception that ends by itself, and with it what it lets through.
  ///
  /// @param exception `PolicyException.policies.kyverno.io/shop/legacy`
  public record ExpiringException(String exception, Instant at) {}

  public ClusterFacts {
    missingKinds = List.copyOf(missingKinds);
    approvals = List.copyOf(approvals);
    expiring = List.copyOf(expiring);
    unread = List.copyOf(unread);
  }
}
