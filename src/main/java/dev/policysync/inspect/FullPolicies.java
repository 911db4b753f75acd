package dev.policysync.inspect;

import dev.policysync.base.Value;
import dev.policysync.plan.Failure;
import dev.policysync.plan.LivePolicy;
import dev.policysync.policy.PolicyKind;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/// Reads the complete policies of the cluster.
public interface FullPolicies {
  /// Applies a function to each policy of every served kind.
  default <T> Reading<T> read(Function<WholePolicy, T> each) {
    return read(_ -> true, each);
  }

  /// Applies a function to each policy of the kinds that pass. A policy is discarded before the
  /// next one is read. If a list has to be restarted, its results are dropped.
  <T> Reading<T> read(Predicate<PolicyKind> kinds, Function<WholePolicy, T> each);

  /// A policy as the API server stores it.
  ///
  /// @param version the version in which it was read: `v1`
  /// @param object the complete object; items of some lists lack `apiVersion` and `kind`
  record WholePolicy(LivePolicy live, String version, Value.Mapping object) {}

  sealed interface Reading<T> {
    /// Every served kind was read completely.
    record Complete<T>(List<T> items) implements Reading<T> {
      public Complete {
        items = List.copyOf(items);
      }
    }

    /// Something could not be read, so no items are returned: an incomplete backup must not be
    /// used.
    record Incomplete<T>(List<Failure> failures) implements Reading<T> {
      public Incomplete {
        failures = List.copyOf(failures);
      }
    }
  }
}
