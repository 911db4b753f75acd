package dev.policysync.sync.succession;

import dev.policysync.policy.PolicyKind;
import dev.policysync.sync.analysis.PolicyConverter;
import dev.policysync.sync.analysis.RehearsalSource;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// What a run does about policies that Kyverno 1.20 no longer executes.
public sealed interface Conversions {
  /// The run applies these policies as written.
  record Off() implements Conversions {}

  /// The run applies these policies as written, and shows their conversion.
  record Preview(PolicyConverter policyConverter) implements Conversions {}

  /// The run replaces these policies by their successors.
  ///
  /// @param rehearsalSource compares the verdicts of successors
  /// @param rehearsal the minimum time for which the successors stay beside the policy
  record Apply(PolicyConverter policyConverter, RehearsalSource rehearsalSource, Duration rehearsal)
      implements Conversions {}

  /// The kinds of successors.
  Set<PolicyKind> SUCCESSOR_KINDS =
      Set.of(
          PolicyKind.CEL_EXCEPTION,
          PolicyKind.VALIDATING_POLICY,
          PolicyKind.NAMESPACED_VALIDATING_POLICY);

  /// Returns the kinds of which even a policy of somebody else's decides what is applied: what has
  /// the name of a policy or of its successor, and exceptions from policies.
  default Set<PolicyKind> watched() {
    return this instanceof Apply
        ? PolicyKind.all().stream()
            .filter(kind -> kind.endsWithKyverno119() || SUCCESSOR_KINDS.contains(kind))
            .collect(Collectors.toUnmodifiableSet())
        : Set.of();
  }

  /// Returns the converter for a preview; empty if conversions are off or applied.
  default Optional<PolicyConverter> previewing() {
    return this instanceof Preview(var policyConverter)
        ? Optional.of(policyConverter)
        : Optional.empty();
  }
}
