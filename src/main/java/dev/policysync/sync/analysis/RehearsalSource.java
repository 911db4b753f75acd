package dev.policysync.sync.analysis;

import dev.policysync.policy.PolicyId;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Compares the policy reports about policies with those about their successors, which are in the
/// cluster beside them.
///
/// Verdicts are compared rule by rule on each resource; a Pod and its controller are two resources.
/// A warning and an error count as fail; a skip is no result. If one rule has several successors,
/// one that fails is enough.
@FunctionalInterface
public interface RehearsalSource {
  RehearsalSource UNKNOWN = _ -> new Result.Unavailable("no report source is available");

  /// Compares all rehearsals at once, because there are as many reports as resources. Has a time
  /// limit and never throws.
  Result of(Collection<Rehearsal> rehearsals);

  record Rehearsal(Member legacy, List<Successor> successors) {
    public Rehearsal {
      successors = List.copyOf(successors);
    }
  }

  /// A policy in the cluster.
  ///
  /// @param since when its content last changed, by the API server's clock; older results do not
  ///   count
  record Member(PolicyId id, Instant since) {}

  /// One of the policies that together replace one rule.
  ///
  /// @param rule the name of the rule in the legacy policy
  record Successor(Member member, String rule) {}

  /// The result of a comparison of all rehearsals.
  sealed interface Result {
    /// The reports could not be read.
    ///
    /// @param why what was tried and what the response was
    record Unavailable(String why) implements Result {}

    /// The reports were read.
    ///
    /// @param rehearsals by the legacy policy, one for each rehearsal in the request
    /// @param latest when Kyverno created the newest result in any report, of any policy, to the
    ///   second; empty if there is no result
    record Reported(Map<PolicyId, Comparison> rehearsals, Optional<Instant> latest)
        implements Result {
      public Reported {
        rehearsals = Map.copyOf(rehearsals);
      }
    }
  }

  /// The comparison of the verdicts about one policy's rules.
  sealed interface Comparison {
    /// The successors give the same verdict as the legacy policy on each resource that it
    /// evaluated, and fail no other resource.
    ///
    /// @param resources the number of resources that the legacy policy evaluated; 0 if no report
    ///   has a result of it
    record Agrees(long resources) implements Comparison {}

    /// Some results are missing, and none differs.
    ///
    /// @param judged the number of resources that the legacy policy evaluated
    /// @param missing the number of resources with a missing result, or one from before a change of
    ///   the legacy policy or of a successor
    /// @param names some of these resources: `Deployment/shop/cart`
    record Incomplete(long judged, long missing, List<String> names) implements Comparison {
      public Incomplete {
        names = List.copyOf(names);
      }
    }

    /// Some verdicts differ.
    ///
    /// @param resources the number of resources
    /// @param names some of these resources, with the rules that differ and the verdicts (`fail`,
    ///   `pass` or `no result`): `Deployment/shop/cart (rule team: fail, its successor: pass; rule
    ///   owner: no result, its successor: fail)`
    record Differs(long resources, List<String> names) implements Comparison {
      public Differs {
        names = List.copyOf(names);
      }
    }
  }
}
