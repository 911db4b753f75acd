package dev.policysync.sync.analysis;

import dev.policysync.policy.PolicyId;
import dev.policysync.policy.Rehearsal;
import dev.policysync.policy.Rehearsal.Comparison;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;

/// Compares the policy reports about policies with those about their successors, which are in the
/// cluster beside them.
///
/// Verdicts are compared rule by rule on each resource; a Pod and its controller are two resources.
/// A warning and an error count as fail; a skip is no result. If one rule has several successors,
/// one that fails is enough.
@FunctionalInterface
public interface RehearsalSource {
  RehearsalSource UNKNOWN = _ -> new Result.Unavailable("no report source is available");

  /// Compares all rehearsals at once, as there are as many reports as resources. Has a time limit
  /// and never throws.
  Result of(Collection<Rehearsal> rehearsals);

  /// The result of a comparison of all rehearsals.
  sealed interface Result {
    /// The reports could not be read.
    ///
    /// @param why what was tried and what came back
    record Unavailable(String why) implements Result {}

    /// The reports were read.
    ///
    /// @param rehearsals by the legacy policy, one for each rehearsal in the request
    /// @param latest when Kyverno made the newest result in any report, of any policy, to the
    ///   second; empty if there is no result
    record Reported(Map<PolicyId, Comparison> rehearsals, Optional<Instant> latest)
        implements Result {
      public Reported {
        rehearsals = Map.copyOf(rehearsals);
      }
    }
  }
}
