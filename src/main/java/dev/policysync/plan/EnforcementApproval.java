package dev.policysync.plan;

import dev.policysync.policy.PolicyId;
import java.util.Set;

/// Whether some of a plan's writes begin to block so much that a person has to consent.
///
/// @param approvalState whether somebody has to, and did
/// @param approved the writes that use the consent up
public record EnforcementApproval(ApprovalState approvalState, Set<PolicyId> approved) {
  /// None of them.
  public static final EnforcementApproval NONE =
      new EnforcementApproval(new ApprovalState.NotNeeded(), Set.of());

  public EnforcementApproval {
    approved = Set.copyOf(approved);
  }
}
