package dev.policysync.inspect;

import dev.policysync.base.Value;
import dev.policysync.plan.Failure;
import dev.policysync.plan.LivePolicy;
import java.util.List;
import java.util.function.Function;

/// The cluster's policies with all they say.
public interface FullPolicies {
  /// Makes something of each policy of every kind that the cluster serves; each is forgotten before
  /// the next one is read. Where a list has to begin anew, what was made of its policies is
  /// dropped.
  <T> Reading<T> read(Function<WholePolicy, T> each);

  /// A policy as the API server stores it.
  ///
  /// @param version of its kind in which it was read: `v1`
  /// @param object all of it; items of some lists lack `apiVersion` and `kind`
  record WholePolicy(LivePolicy live, String version, Value.Mapping object) {}

  /// What came of reading.
  sealed interface Reading<T> {
    /// Every kind that is served was read to its end.
    record Complete<T>(List<T> items) implements Reading<T> {
      public Complete {
        items = List.copyOf(items);
      }
    }

    /// Something could not be read, and so nothing is handed on: half a backup is none.
    record Incomplete<T>(List<Failure> failures) implements Reading<T> {
      public Incomplete {
        failures = List.copyOf(failures);
      }
    }
  }
}
