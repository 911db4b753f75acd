package dev.policysync.inspect;

import dev.policysync.plan.Approval;
import dev.policysync.policy.kyverno.KyvernoVersion;
import dev.policysync.sync.LeaseHold;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The cluster's state apart from its policies.
///
/// @param kubernetes the API server's version: `v1.36.3`
/// @param missingKinds kinds of policies that the cluster does not serve
/// @param kyverno the admission controller, if it was found
/// @param lease the agent's Lease
/// @param schedule what starts the agent's runs
/// @param approvals the approvals on the Lease
/// @param expiring exceptions with an end date, the earliest first
/// @param webhookBreakers the policies that break Kyverno's webhook configuration
/// @param unread what could not be read, and why
public record ClusterFacts(
    Optional<String> kubernetes,
    List<String> missingKinds,
    Optional<Kyverno> kyverno,
    Optional<LeaseHolder> lease,
    Schedule schedule,
    List<GivenApproval> approvals,
    List<ExpiringException> expiring,
    List<WebhookBreakers.Breaker> webhookBreakers,
    List<String> unread) {
  /// Kyverno's admission controller.
  ///
  /// @param deployment `kyverno/kyverno-admission-controller`
  /// @param image the image tag: `v1.19.1`
  public record Kyverno(String deployment, Optional<String> image, int ready, int wanted) {
    String namespace() {
      return deployment.substring(0, deployment.indexOf('/'));
    }

    /// Returns Kyverno's version; empty if the image tag is not a version.
    public Optional<KyvernoVersion> version() {
      return image.flatMap(KyvernoVersion::parse);
    }
  }

  /// The agent's Lease and its holder.
  ///
  /// @param name `insights-agent/kyverno-policy-sync-lock`
  /// @param holder empty if the Lease is free
  /// @param held how long the Lease has been held, if known
  /// @param renewed when the Lease was last written; a run without changes does not acquire it
  /// @param hold what the Lease says about its holder
  /// @param howToFree the command that frees the Lease from a holder that is gone
  public record LeaseHolder(
      String name,
      Optional<String> holder,
      Optional<Duration> held,
      Optional<Instant> renewed,
      LeaseHold hold,
      String howToFree) {}

  /// An approval that was not used yet.
  ///
  /// @param what `removals`
  /// @param list the digest of the approved list
  /// @param by the field manager that set the annotation
  /// @param given when the annotation was set, by the API server's clock
  public record GivenApproval(
      String what, String list, Optional<String> by, Optional<Instant> given) {
    /// Returns when the approval expires; empty if it is unknown when it was given.
    public Optional<Instant> until() {
      return given.map(time -> time.plus(Approval.VALID));
    }
  }

  /// A policy exception with an end date, after which it exempts nothing.
  ///
  /// @param exception `PolicyException.policies.kyverno.io/shop/legacy`
  public record ExpiringException(String exception, Instant at) {}

  /// The facts about a cluster whose API server answers nothing.
  public static final ClusterFacts UNKNOWN =
      new ClusterFacts(
          Optional.empty(),
          List.of(),
          Optional.empty(),
          Optional.empty(),
          new Schedule.Unread(),
          List.of(),
          List.of(),
          List.of(),
          List.of());

  public ClusterFacts {
    missingKinds = List.copyOf(missingKinds);
    approvals = List.copyOf(approvals);
    expiring = List.copyOf(expiring);
    webhookBreakers = List.copyOf(webhookBreakers);
    unread = List.copyOf(unread);
  }
}
