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

/// What the cluster's policy reports say of who breaks a policy now.
public interface ViolationSource {
  /// Nobody can tell.
  ViolationSource UNKNOWN = _ -> new Result.Unavailable("no report source is available");

  /// Asks about all policies at once: reports are as many as there are resources. Takes no more
  /// time than it is worth and never throws.
  Result of(Collection<Impact> tightening);

  /// What came back.
  sealed interface Result {
    /// Reports could not be read.
    ///
    /// @param why what was tried and what came back
    record Unavailable(String why) implements Result {}

    /// They could.
    ///
    /// @param anyReports whether there are any at all, of whatever policy
    /// @param policies what they say, by the policy that was asked about; one without any result is
    ///   absent
    record Reported(boolean anyReports, Map<PolicyId, Violations> policies) implements Result {
      public Reported {
        policies = Map.copyOf(policies);
      }
    }
  }

  /// Who breaks the rules of one policy now, each thing once: a Pod is not counted where its
  /// controller is.
  ///
  /// @param namespaces how many by namespace, the most first; what lives in none is under the empty
  ///   name
  /// @param names some of them, as people know them: `Deployment/shop/cart`
  /// @param newest when the newest of the results was found, failing or not
  record Violations(Map<String, Long> namespaces, List<String> names, Optional<Instant> newest) {
    public Violations {
      namespaces = Collections.unmodifiableMap(new LinkedHashMap<>(namespaces));
      names = List.copyOf(names);
    }

    /// All of them.
    public long workloads() {
      return namespaces.values().stream().mapToLong(Long::longValue).sum();
    }
  }
}
