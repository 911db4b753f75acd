package dev.policysync.plan;

import java.time.Instant;
import java.util.Optional;

/// Facts about a live policy that planning does not compare: whether Kyverno is ready to execute
/// the policy, and since when the policy has been in a temporary state.
///
/// @param readiness from the column of its kind in the API server's table output
/// @param applied when our fields last changed, by the API server's clock; known only of
///   exceptions, context entries and policies that are not reported as ready
/// @param deleted since when the policy has been terminating
/// @param pause who annotated the policy as ignored
public record LiveStatus(
    Readiness readiness,
    Optional<Instant> applied,
    Optional<Instant> deleted,
    Optional<Pause> pause) {
  public static final LiveStatus NONE = new LiveStatus(Readiness.UNKNOWN);

  public static final LiveStatus READY = new LiveStatus(Readiness.READY);

  private LiveStatus(Readiness readiness) {
    this(readiness, Optional.empty(), Optional.empty(), Optional.empty());
  }

  public static LiveStatus appliedAt(Instant time) {
    return new LiveStatus(Readiness.UNKNOWN, Optional.of(time), Optional.empty(), Optional.empty());
  }

  /// Whether Kyverno executes a policy, as far as a list shows.
  public enum Readiness {
    READY,
    /// Kyverno reports the policy as not ready; the object itself has the reason.
    NOT_READY,
    /// Kyverno has reported nothing yet, or does not run.
    UNREPORTED,
    /// Kyverno reports no readiness for this kind, or does not execute this kind.
    UNKNOWN;

    /// Returns whether Kyverno is not known to execute a policy of which it would report that.
    public boolean isMissing() {
      return this == NOT_READY || this == UNREPORTED;
    }
  }

  /// Who set the annotation `policysync.dev/reconcile: disabled`, and when, according to the
  /// managed fields.
  public record Pause(Optional<String> by, Optional<Instant> since) {}
}
