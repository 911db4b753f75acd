package dev.policysync.plan;

import java.util.Collection;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/// The generations at which policies were found to be as the feed wants them, one for each policy.
///
/// Managed fields do not show every change: somebody who applies under this agent's name, or who
/// cuts his entry out of them, leaves none. But each change of a spec moves the generation, so a
/// policy that seems to be in sync at another generation has to be compared with what an apply
/// would make of it (promise 8).
///
/// @param hashes of uid and generation, which is all that the Lease has room for with 5,000
///   policies; none where nothing is known
public record KnownGenerations(SortedSet<Integer> hashes) {
  public static final KnownGenerations NONE = new KnownGenerations(Collections.emptySortedSet());

  public KnownGenerations {
    hashes = Collections.unmodifiableSortedSet(new TreeSet<>(hashes));
  }

  /// The generations at which these policies are.
  public static KnownGenerations of(Collection<LivePolicy> policies) {
    var hashes = new TreeSet<Integer>();
    policies.forEach(policy -> hashes.add(hash(policy)));
    return new KnownGenerations(hashes);
  }

  /// These generations and the others.
  public KnownGenerations and(KnownGenerations others) {
    var all = new TreeSet<>(hashes);
    all.addAll(others.hashes);
    return new KnownGenerations(all);
  }

  /// The known generations of policies that are still in the cluster; all known ones where a kind
  /// could not be listed, or where none would be left.
  public KnownGenerations among(ActualPolicies actualPolicies) {
    var live =
        KnownGenerations.of(
            actualPolicies.byId().values().stream().filter(this::contains).toList());
    return live.isEmpty() || !actualPolicies.complete() ? this : live;
  }

  /// Whether nothing is known. Then a policy that seems to be in sync is believed to be.
  public boolean isEmpty() {
    return hashes.isEmpty();
  }

  /// Whether the policy is at its known generation.
  public boolean contains(LivePolicy policy) {
    return hashes.contains(hash(policy));
  }

  private static int hash(LivePolicy policy) {
    return 31 * policy.objectVersion().uid().hashCode() + Long.hashCode(policy.generation());
  }
}
