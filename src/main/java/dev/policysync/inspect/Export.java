package dev.policysync.inspect;

import dev.policysync.base.Value;
import dev.policysync.plan.Failure;
import dev.policysync.policy.PolicyId;
import java.util.List;
import java.util.Map;

/// What came of an export.
public sealed interface Export {
  /// Everything was read.
  ///
  /// @param policies by kind, namespace and name, so that two exports of one state are the same
  /// @param leftOut how many were left out, and why
  record Whole(List<Exported> policies, Map<ExclusionReason, Integer> leftOut) implements Export {
    public Whole {
      policies = List.copyOf(policies);
    }
  }

  /// Something could not be read, so there is no export.
  record Failed(List<Failure> failures) implements Export {
    public Failed {
      failures = List.copyOf(failures);
    }
  }

  /// One policy as it can be applied again.
  record Exported(PolicyId id, Value.Mapping manifest) {}
}
