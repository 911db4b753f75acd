package dev.policysync.sync.execution;

import dev.policysync.plan.Approval;
import dev.policysync.plan.ApprovalState;
import java.util.Optional;
import java.util.function.Predicate;

/// Uses a person's approval up, once, right before the first of the writes that it is for (promise
/// 4).
final class ApprovalUse {
  private final ApprovalState approvalState;
  private final Predicate<Approval> use;
  private Optional<Boolean> granted = Optional.empty();

  /// @param use uses it up, and says whether it was still there
  ApprovalUse(ApprovalState approvalState, Predicate<Approval> use) {
    this.approvalState = approvalState;
    this.use = use;
  }

  /// Whether those writes may be done; so they may where nobody had to approve them.
  ///
  /// @throws ClusterUnavailable if that cannot be found out
  synchronized boolean granted() {
    if (granted.isEmpty()) {
      granted =
          Optional.of(
              !(approvalState instanceof ApprovalState.Given(var approval)) || use.test(approval));
    }
    return granted.get();
  }
}
