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

/// What the remote API does not know yet about the policies of one cluster of an organization. It
/// is never sent to another organization or cluster (promise 12).
///
/// @param source the organization and cluster
/// @param begun policies that the API does not know to be in sync yet: a run began to write them
///   and was killed before it reported, or the last status was a failure
/// @param unsent statuses that the API did not accept, oldest first, one per name
/// @param conflicts policies that the API knows as conflicts, each with a digest of the reported
///   reason
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

  public static StatusBacklog none(SourceName source) {
    return new StatusBacklog(
        source, Collections.emptySortedSet(), List.of(), Collections.emptySortedMap());
  }

  /// Returns whether the API knows everything, and knows that all policies are in sync.
  public boolean isEmpty() {
    return begun.isEmpty() && unsent.isEmpty() && conflicts.isEmpty();
  }

  /// Returns the backlog before writes of these policies begin.
  public StatusBacklog beginning(Collection<PolicyId> policies) {
    var all = new TreeSet<>(begun);
    all.addAll(policies);
    return new StatusBacklog(source, all, unsent, conflicts);
  }

  /// Returns the backlog after the API was sent these statuses.
  ///
  /// @param sent all statuses of the run
  /// @param notTaken the statuses that the API did not accept
  public StatusBacklog afterSending(List<PolicyStatus> sent, List<PolicyStatus> notTaken) {
    var names = new HashSet<String>();
    sent.forEach(status -> names.add(status.name()));
    var left = new ArrayList<>(unsent);
    left.removeIf(status -> names.contains(status.name()));
    left.addAll(notTaken);
    return new StatusBacklog(source, begun, left, conflicts);
  }

  /// Returns the backlog after a run has reported everything. Of the policies that the run knew as
  /// begun, only the open ones remain. Policies that another run has begun since then stay.
  public StatusBacklog ended(Collection<PolicyId> known, Collection<PolicyId> open) {
    var left = new TreeSet<>(begun);
    left.removeAll(known);
    left.addAll(open);
    return new StatusBacklog(source, left, unsent, conflicts);
  }

  public StatusBacklog withConflicts(Map<PolicyId, Digest> now) {
    return new StatusBacklog(source, begun, unsent, new TreeMap<>(now));
  }
}
