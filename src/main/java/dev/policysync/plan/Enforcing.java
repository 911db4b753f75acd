package dev.policysync.plan;

import dev.policysync.policy.PolicyId;
import java.util.Set;

/// Whether some of a plan's writes begin to block so much that a person has to consent.
///
/// @param consent whether somebody has to, and did
/// @param approved the writes that use the consent up
public record Enforcing(Consent consent, Set<PolicyId> approved) {
  /// None of them.
  public static final Enforcing NONE = new Enforcing(new Consent.NotNeeded(), Set.of());

  public Enforcing {
    approved = Set.copyOf(approved);
  }
}
