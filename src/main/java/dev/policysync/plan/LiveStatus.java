package dev.policysync.plan;

import java.time.Instant;
import java.util.Optional;

/// What the API server tells of a live policy beside what planning compares: whether Kyverno is
/// ready to execute it, and since when it is in a state that should not last.
///
/// @param readiness by the column of its kind in the API server's tables
/// @param applied when our fields changed last, by the API server's clock; told only of a policy
///   that is not ready, and of exceptions and context entries
/// @param deleted since when it is being deleted
/// @param pause who told us to leave it alone
public record LiveStatus(
    Readiness readiness,
    Optional<Instant> applied,
    Optional<Instant> deleted,
    Optional<Pause> pause) {
  /// Nothing is known, and nothing is odd.
  public static final LiveStatus NONE = new LiveStatus(Readiness.UNKNOWN);

  /// It is executed, and nothing is odd.
  public static final LiveStatus READY = new LiveStatus(Readiness.READY);

  private LiveStatus(Readiness readiness) {
    this(readiness, Optional.empty(), Optional.empty(), Optional.empty());
  }

  /// An object of which only the time of our last write is told.
  public static LiveStatus appliedAt(Instant time) {
    return new LiveStatus(Readiness.UNKNOWN, Optional.of(time), Optional.empty(), Optional.empty());
  }

  /// Whether a policy is executed, as far as a list tells.
  public enum Readiness {
    /// Kyverno says so.
    READY,
    /// Kyverno says otherwise, or nothing; the object itself says why.
    NOT_READY,
    /// Kyverno says nothing of this kind, or the kind is not Kyverno's to execute.
    UNKNOWN
  }

  /// A person's or a program's wish that the policy be left as it is, from the managed fields.
  ///
  /// @param by the field manager that set the annotation: `kubectl-annotate`
  /// @param since when, by the API server's clock
  public record Pause(Optional<String> by, Optional<Instant> since) {}
}
