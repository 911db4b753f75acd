package dev.policysync.sync.analysis;

import dev.policysync.policy.PolicyId;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What the cluster's policy reports say of policies and of their successors, which are in the
/// cluster beside them.
///
/// Verdicts are compared rule by rule on each resource, a Pod and its controller being two. To fail
/// is also to warn, and an error; a skip is no result. Of several successors of one rule it is
/// enough that one fails.
@FunctionalInterface
public interface RehearsalSource {
  /// Nobody can tell.
  RehearsalSource UNKNOWN = _ -> new Result.Unavailable("no report source is available");

  /// Asks about all rehearsals at once: reports are as many as there are resources. Takes no more
  /// time than it is worth and never throws.
  Result of(Collection<Rehearsal> rehearsals);

  /// A policy and its successors.
  record Rehearsal(Member legacy, List<Successor> successors) {
    public Rehearsal {
      successors = List.copyOf(successors);
    }
  }

  /// A policy in the cluster.
  ///
  /// @param since when its content changed last, by the API server's clock; results from before
  ///   tell nothing of it
  record Member(PolicyId id, Instant since) {}

  /// One of the policies that take the place of one rule together.
  ///
  /// @param rule of the legacy policy, by its name
  record Successor(Member member, String rule) {}

  /// What came back.
  sealed interface Result {
    /// Reports could not be read.
    ///
    /// @param why what was tried and what came back
    record Unavailable(String why) implements Result {}

    /// They could.
    ///
    /// @param rehearsals by the legacy policy, one for each that was asked about
    /// @param latest when Kyverno made the newest result in any report, of whatever policy, by the
    ///   second; empty where there is none
    record Reported(Map<PolicyId, Comparison> rehearsals, Optional<Instant> latest)
        implements Result {
      public Reported {
        rehearsals = Map.copyOf(rehearsals);
      }
    }
  }

  /// How the verdicts on one policy's rules compare.
  sealed interface Comparison {
    /// The successors say the same of each resource that the legacy policy judged, and fail none
    /// that it did not.
    ///
    /// @param resources how many it judged; 0 where no report has a result of it
    record Agrees(long resources) implements Comparison {}

    /// Some results are not there yet, and none differs.
    ///
    /// @param judged how many resources the legacy policy judged
    /// @param missing of how many a result is not there, or from before a change, be it of the
    ///   legacy policy or of a successor
    /// @param names some of these resources: `Deployment/shop/cart`
    record Incomplete(long judged, long missing, List<String> names) implements Comparison {
      public Incomplete {
        names = List.copyOf(names);
      }
    }

    /// Some differ.
    ///
    /// @param resources how many resources
    /// @param names some of these, the rules that differ and the verdicts (`fail`, `pass` or `no
    ///   result`): `Deployment/shop/cart (rule team: fail, its successor: pass; rule owner: no
    ///   result, its successor: fail)`
    record Differs(long resources, List<String> names) implements Comparison {
      public Differs {
        names = List.copyOf(names);
      }
    }
  }
}
