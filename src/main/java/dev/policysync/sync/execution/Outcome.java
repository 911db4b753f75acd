package dev.policysync.sync.execution;

import dev.policysync.plan.Action;
import dev.policysync.plan.Failure;
import java.util.List;

public sealed interface Outcome {
  Action action();

  /// The action was done, with the warnings of the API server.
  record Done(Action action, List<String> warnings) implements Outcome {
    public Done {
      warnings = List.copyOf(warnings);
    }
  }

  /// The action failed; the other actions continue.
  record Failed(Action action, Failure failure) implements Outcome {}

  /// The action was not attempted.
  ///
  /// @param detail what the reason is about; empty if the reason is enough
  record NotAttempted(Action action, StopReason why, String detail) implements Outcome {
    public NotAttempted(Action action, StopReason why) {
      this(action, why, "");
    }

    /// Returns the reason in words: `an admission webhook cannot be reached:
    /// validate-policy.kyverno.svc`.
    public String reason() {
      return detail.isEmpty() ? why.toString() : why + ": " + detail;
    }
  }

  /// Somebody wrote the object meanwhile, and the object is now in sync.
  record Settled(Action action) implements Outcome {}

  /// Somebody changed the object meanwhile, and the agent must not write it any more.
  record Dropped(Action action, String reason) implements Outcome {}
}
