package dev.policysync.sync;

import dev.policysync.plan.Agreement;
import dev.policysync.plan.Repairs;
import dev.policysync.policy.PolicyId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/// What one run leaves for the next. Of a cluster that is in sync only that is remembered.
///
/// @param ownedBefore how many policies were owned when removals were first withheld; as long as
///   some are, the budget is measured by that, or a wrong feed could pass it in two runs: the first
///   one adds its policies, of which the removals are then a small share (promise 4)
/// @param begun policies of which the remote API does not know yet that they are well: a run began
///   to write them and was killed before it told, or the last that it told was a failure (promise
///   12)
/// @param unsent statuses that the remote API did not take, without their bodies, oldest first, no
///   two of one name
/// @param repairs what had to be put right lately because somebody else changed it
/// @param agreement on what feed and cluster agreed when the last run that wrote had ended, if they
///   did
/// @param failures what has failed run after run, each time in a way that may pass
public record Memory(
    Optional<Integer> ownedBefore,
    SortedSet<PolicyId> begun,
    List<PolicyStatus> unsent,
    Repairs repairs,
    Optional<Agreement> agreement,
    FailureHistory failures) {
  /// Nothing.
  public static final Memory NONE =
      new Memory(
          Optional.empty(),
          Collections.emptySortedSet(),
          List.of(),
          Repairs.NONE,
          Optional.empty(),
          FailureHistory.NONE);

  public Memory {
    begun = Collections.unmodifiableSortedSet(new TreeSet<>(begun));
    unsent = unsent.stream().map(PolicyStatus::withoutBody).toList();
  }

  /// The same with another budget's measure.
  public Memory withOwnedBefore(Optional<Integer> owned) {
    return new Memory(owned, begun, unsent, repairs, agreement, failures);
  }

  /// The same when writes of these policies are about to begin.
  Memory beginning(Collection<PolicyId> policies) {
    var all = new TreeSet<>(begun);
    all.addAll(policies);
    return new Memory(ownedBefore, all, unsent, repairs, agreement, failures);
  }

  /// The same when the API was told of those and did not take these.
  Memory told(List<PolicyStatus> sent, List<PolicyStatus> notTaken) {
    var names = new HashSet<String>();
    sent.forEach(status -> names.add(status.name()));
    var left = new ArrayList<>(unsent);
    left.removeIf(status -> names.contains(status.name()));
    left.addAll(notTaken);
    return new Memory(ownedBefore, begun, left, repairs, agreement, failures);
  }

  /// The same once a run has told all that it knows: of what it knew to be begun, only what is
  /// still open is left. What another run began meanwhile stays.
  Memory ended(Collection<PolicyId> known, Collection<PolicyId> open) {
    var left = new TreeSet<>(begun);
    left.removeAll(known);
    left.addAll(open);
    return new Memory(ownedBefore, left, unsent, repairs, agreement, failures);
  }

  /// The same with what feed and cluster agree on now, if they do.
  Memory withAgreement(Optional<Agreement> now) {
    return new Memory(ownedBefore, begun, unsent, repairs, now, failures);
  }

  /// Whether feed and cluster agree on the same as then, and nothing else is left to do.
  boolean stillIn(Optional<Agreement> now) {
    return agreement.isPresent()
        && agreement.equals(now)
        && ownedBefore.isEmpty()
        && begun.isEmpty()
        && unsent.isEmpty();
  }

  /// The same with these repairs.
  Memory withRepairs(Repairs done) {
    return new Memory(ownedBefore, begun, unsent, done, agreement, failures);
  }

  /// The same with these failures.
  public Memory withFailures(FailureHistory now) {
    return new Memory(ownedBefore, begun, unsent, repairs, agreement, now);
  }
}
