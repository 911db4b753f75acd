package dev.policysync.inspect;

import dev.policysync.base.Value;
import dev.policysync.plan.Failure;
import dev.policysync.policy.PolicyId;
import java.util.List;
import java.util.Map;

/// The result of an export.
public sealed interface Export {
  /// Everything was read.
  ///
  /// @param policies sorted by kind, namespace and name, so that exports of the same state are
  ///   equal
  /// @param leftOut the number of policies that were left out, by reason
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

  /// A policy as a manifest that can be applied again.
  record Exported(PolicyId id, Value.Mapping manifest) {}
}
