package dev.policysync.sync.analysis;

import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import java.util.List;
import java.util.Set;

/// Who knows what is dangerous about a policy. Asked only about policies that are new or have
/// changed, so a run with nothing to write asks nobody.
public interface PolicyLinter {
  /// Nobody.
  PolicyLinter NONE = (_, _) -> List.of();

  /// What is dangerous about the policies in question.
  ///
  /// @param all the policies that are expected, by the sight of which they are judged
  /// @param inQuestion which of them
  List<PolicyHazard> of(List<Policy> all, Set<PolicyId> inQuestion);

  /// One thing about one policy.
  ///
  /// @param text what it is, without any of the policy's content
  record PolicyHazard(PolicyId policy, Weight weight, String text) {}

  /// What a hazard leads to.
  enum Weight {
    /// The summary says so.
    WARNING,
    /// The policy is not written.
    WITHHOLDS
  }
}
