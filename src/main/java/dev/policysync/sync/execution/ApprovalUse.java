package dev.policysync.sync.execution;

import dev.policysync.plan.Approval;
import dev.policysync.plan.ApprovalState;
import java.util.Optional;
import java.util.function.Predicate;

/// Uses up a person's approval, once, directly before the first approved write (promise 4).
final class ApprovalUse {
  private final ApprovalState approvalState;
  private final Predicate<Approval> use;
  private Optional<Boolean> granted = Optional.empty();

  /// @param use uses up the approval, and returns whether it still existed
  ApprovalUse(ApprovalState approvalState, Predicate<Approval> use) {
    this.approvalState = approvalState;
    this.use = use;
  }

  /// Returns whether the writes may be done: there was an approval, or none is needed.
  ///
  /// @throws ClusterUnavailable if this cannot be found out
  synchronized boolean granted() {
    if (granted.isEmpty()) {
      granted =
          Optional.of(
              !(approvalState instanceof ApprovalState.Given(var approval)) || use.test(approval));
    }
    return granted.get();
  }
}
