package dev.policysync.sync.execution;

import dev.policysync.plan.Action;
import dev.policysync.plan.Failure;
import java.util.List;

/// How one action ended.
public sealed interface Outcome {
  /// What was to be done.
  Action action();

  /// It is done, with what the API server warned of.
  record Done(Action action, List<String> warnings) implements Outcome {
    public Done {
      warnings = List.copyOf(warnings);
    }
  }

  /// It failed; the others go on.
  record Failed(Action action, Failure failure) implements Outcome {}

  /// It was not tried.
  ///
  /// @param detail what the reason is about; empty where it says it all
  record NotAttempted(Action action, StopReason why, String detail) implements Outcome {
    /// One of which the reason says it all.
    public NotAttempted(Action action, StopReason why) {
      this(action, why, "");
    }

    /// In words: `an admission webhook cannot be reached: validate-policy.kyverno.svc`.
    public String reason() {
      return detail.isEmpty() ? why.toString() : why + ": " + detail;
    }
  }

  /// Somebody wrote the object meanwhile, and it is now as it should be.
  record Settled(Action action) implements Outcome {}

  /// Somebody changed the object meanwhile, and as it is now it is not ours to write.
  record Dropped(Action action, String reason) implements Outcome {}
}
