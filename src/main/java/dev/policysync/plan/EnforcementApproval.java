package dev.policysync.plan;

import dev.policysync.policy.PolicyId;
import java.util.Set;

/// Whether writes of a plan begin to block so much that a person has to approve them.
///
/// @param approvalState whether an approval is needed, and was given
/// @param approved the writes that use the approval up
public record EnforcementApproval(ApprovalState approvalState, Set<PolicyId> approved) {
  public static final EnforcementApproval NONE =
      new EnforcementApproval(new ApprovalState.NotNeeded(), Set.of());

  public EnforcementApproval {
    approved = Set.copyOf(approved);
  }
}
