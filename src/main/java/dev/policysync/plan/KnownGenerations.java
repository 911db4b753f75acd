package dev.policysync.plan;

import java.util.Collection;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/// The generation at which each policy was found in sync with the feed.
///
/// Managed fields do not show every change: a client that applies under this agent's field manager,
/// or removes its own entry from the managed fields, leaves no trace. But each change of a spec
/// increases the generation. So a policy that seems to be in sync at another generation has to be
/// compared with the result of a dry-run apply (promise 8).
///
/// @param hashes the hashes of uid and generation, because the Lease has no room for more with
///   5,000 policies; empty if nothing is known
public record KnownGenerations(SortedSet<Integer> hashes) {
  public static final KnownGenerations NONE = new KnownGenerations(Collections.emptySortedSet());

  public KnownGenerations {
    hashes = Collections.unmodifiableSortedSet(new TreeSet<>(hashes));
  }

  public static KnownGenerations of(Collection<LivePolicy> policies) {
    var hashes = new TreeSet<Integer>();
    policies.forEach(policy -> hashes.add(hash(policy)));
    return new KnownGenerations(hashes);
  }

  public KnownGenerations union(KnownGenerations others) {
    var all = new TreeSet<>(hashes);
    all.addAll(others.hashes);
    return new KnownGenerations(all);
  }

  /// Returns the known generations of policies that are still in the cluster. Returns all known
  /// generations if a kind could not be listed, or if none would remain.
  public KnownGenerations retainLive(ActualPolicies actualPolicies) {
    var live =
        KnownGenerations.of(
            actualPolicies.byId().values().stream().filter(this::contains).toList());
    return live.isEmpty() || !actualPolicies.complete() ? this : live;
  }

  /// Returns whether nothing is known. Then a policy that seems to be in sync counts as in sync.
  public boolean isEmpty() {
    return hashes.isEmpty();
  }

  public boolean contains(LivePolicy policy) {
    return hashes.contains(hash(policy));
  }

  private static int hash(LivePolicy policy) {
    return 31 * policy.objectVersion().uid().hashCode() + Long.hashCode(policy.generation());
  }
}
