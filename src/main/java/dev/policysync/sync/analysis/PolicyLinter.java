package dev.policysync.sync.analysis;

import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import java.util.List;
import java.util.Set;

/// Finds dangerous parts of policies. Only new and changed policies are checked, so a run with
/// nothing to write does not lint.
public interface PolicyLinter {
  PolicyLinter NONE = (_, _) -> List.of();

  /// Returns the findings about the policies to check.
  ///
  /// @param all the expected policies, which the check takes into account
  /// @param inQuestion the policies to check
  List<PolicyHazard> of(List<Policy> all, Set<PolicyId> inQuestion);

  /// One finding about one policy.
  ///
  /// @param text a description, without any of the policy's content
  record PolicyHazard(PolicyId policy, Weight weight, String text) {}

  enum Weight {
    /// The summary warns.
    WARNING,
    /// The policy is withheld.
    WITHHOLDS
  }
}
