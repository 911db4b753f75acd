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
  /// @param detail what the reason refers to; empty if the reason is enough
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

  /// Another client wrote the object, and the object is now in sync.
  record Settled(Action action) implements Outcome {}

  /// Another client changed the object, and the agent must no longer write it.
  record Dropped(Action action, String reason) implements Outcome {}
}
