package dev.policysync.plan;

import dev.policysync.policy.PolicyId;
import java.util.Set;

/// Whether the stricter policies in a plan need an approval.
///
/// @param approvalState whether an approval is needed, and was given
/// @param approved the writes that use up the approval
public record EnforcementApproval(ApprovalState approvalState, Set<PolicyId> approved) {
  public static final EnforcementApproval NONE =
      new EnforcementApproval(new ApprovalState.NotNeeded(), Set.of());

  public EnforcementApproval {
    approved = Set.copyOf(approved);
  }
}
