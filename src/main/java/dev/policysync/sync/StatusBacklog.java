package dev.policysync.sync;

import dev.policysync.plan.SourceName;
import dev.policysync.policy.Digest;
import dev.policysync.policy.PolicyId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// What the remote API still has to be told about the policies of one organization's cluster. No
/// other organization or cluster is ever told it (promise 12).
///
/// @param source the organization and cluster
/// @param begun policies of which the API does not know yet that they are well: a run began to
///   write them and was killed before it reported, or the last status was a failure
/// @param unsent statuses that the API did not take, oldest first, no two of one name
/// @param conflicts policies of which the API knows that their name is taken, each with a digest of
///   the reason that it was given
public record StatusBacklog(
    SourceName source,
    SortedSet<PolicyId> begun,
    List<PolicyStatus> unsent,
    SortedMap<PolicyId, Digest> conflicts) {

  public StatusBacklog {
    begun = Collections.unmodifiableSortedSet(new TreeSet<>(begun));
    unsent = List.copyOf(unsent);
    conflicts = Collections.unmodifiableSortedMap(new TreeMap<>(conflicts));
  }

  /// Nothing is left to tell.
  public static StatusBacklog none(SourceName source) {
    return new StatusBacklog(
        source, Collections.emptySortedSet(), List.of(), Collections.emptySortedMap());
  }

  /// Whether the API knows everything, and knows everything to be well.
  public boolean isEmpty() {
    return begun.isEmpty() && unsent.isEmpty() && conflicts.isEmpty();
  }

  /// The same when writes of these policies are about to begin.
  public StatusBacklog beginning(Collection<PolicyId> policies) {
    var all = new TreeSet<>(begun);
    all.addAll(policies);
    return new StatusBacklog(source, all, unsent, conflicts);
  }

  /// The same when the API was told of those and did not take these.
  public StatusBacklog told(List<PolicyStatus> sent, List<PolicyStatus> notTaken) {
    var names = new HashSet<String>();
    sent.forEach(status -> names.add(status.name()));
    var left = new ArrayList<>(unsent);
    left.removeIf(status -> names.contains(status.name()));
    left.addAll(notTaken);
    return new StatusBacklog(source, begun, left, conflicts);
  }

  /// The same once a run has told all that it knows: of what it knew to be begun, only what is
  /// still open is left. What another run began meanwhile stays.
  public StatusBacklog ended(Collection<PolicyId> known, Collection<PolicyId> open) {
    var left = new TreeSet<>(begun);
    left.removeAll(known);
    left.addAll(open);
    return new StatusBacklog(source, left, unsent, conflicts);
  }

  /// The same when these are the conflicts that the API knows of.
  public StatusBacklog withConflicts(Map<PolicyId, Digest> now) {
    return new StatusBacklog(source, begun, unsent, new TreeMap<>(now));
  }
}
