package dev.policysync.sync.succession;

import dev.policysync.sync.analysis.PolicyConverter;
import dev.policysync.sync.analysis.RehearsalSource;
import java.time.Duration;
import java.util.Optional;

/// What a run does about policies that Kyverno 1.20 no longer executes.
public sealed interface Conversions {
  /// It applies them as they are written.
  record Off() implements Conversions {}

  /// The same, and it says what would become of them.
  record Preview(PolicyConverter policyConverter) implements Conversions {}

  /// It puts successors in their place.
  ///
  /// @param rehearsalSource whom to ask how successors judge
  /// @param rehearsal for how long they stand beside the policy, at least
  record Apply(PolicyConverter policyConverter, RehearsalSource rehearsalSource, Duration rehearsal)
      implements Conversions {}

  /// Whom to ask what would become of them, where nothing of that is applied.
  default Optional<PolicyConverter> previewing() {
    return this instanceof Preview(var policyConverter)
        ? Optional.of(policyConverter)
        : Optional.empty();
  }
}
