package dev.policysync.sync.analysis;

import dev.policysync.plan.impact.Impact;
import dev.policysync.policy.PolicyId;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads from the cluster's policy reports which workloads currently violate a policy.
public interface ViolationSource {
  ViolationSource UNKNOWN = _ -> new Result.Unavailable("no report source is available");

  /// Reads the reports for all policies at once, because there are as many reports as resources.
  /// Has a time limit and never throws.
  Result of(Collection<Impact> tightening);

  sealed interface Result {
    /// The reports could not be read.
    ///
    /// @param why what was tried and what the response was
    record Unavailable(String why) implements Result {}

    /// The reports were read.
    ///
    /// @param anyReports whether there are any reports, of any policy
    /// @param policies the violations by policy; a policy without any result is absent
    record Reported(boolean anyReports, Map<PolicyId, Violations> policies) implements Result {
      public Reported {
        policies = Map.copyOf(policies);
      }
    }
  }

  /// The workloads that currently violate the rules of one policy, each counted once: a Pod is not
  /// counted in addition to its controller.
  ///
  /// @param namespaces the number of workloads by namespace, the largest first; cluster-scoped ones
  ///   are under the empty name
  /// @param names some of the workloads: `Deployment/shop/cart`
  /// @param newest the time of the newest result, failing or not
  record Violations(Map<String, Long> namespaces, List<String> names, Optional<Instant> newest) {
    public Violations {
      namespaces = Collections.unmodifiableMap(new LinkedHashMap<>(namespaces));
      names = List.copyOf(names);
    }

    public long workloads() {
      return namespaces.values().stream().mapToLong(Long::longValue).sum();
    }
  }
}
