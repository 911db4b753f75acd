package dev.policysync.sync;

import dev.policysync.policy.PolicyId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/// What one run leaves for the next. A cluster that is in sync has nothing to remember.
///
/// @param ownedBefore how many policies were owned when removals were first withheld; as long as
///   some are, the budget is measured by that, or a wrong feed could pass it in two runs: the first
///   one adds its policies, of which the removals are then a small share (promise 4)
/// @param begun policies whose write a run began and of whose end it told nobody yet: all that is
///   left of it where it was killed (promise 12)
/// @param unsent statuses that the remote API did not take, without their bodies, oldest first, no
///   two of one name
/// @param repairs what had to be put right lately because somebody else changed it
public record Memory(
    Optional<Integer> ownedBefore,
    SortedSet<PolicyId> begun,
    List<PolicyStatus> unsent,
    Map<PolicyId, Repairs> repairs) {
  /// Nothing.
  public static final Memory NONE =
      new Memory(Optional.empty(), Collections.emptySortedSet(), List.of(), Map.of());

  /// Repairs that lie further apart are not one story.
  private static final Duration LATELY = Duration.ofHours(24);

  /// The same policy put right again and again.
  ///
  /// @param by who changed it, as far as managed fields tell
  /// @param times how often in a row, with never more than a day between
  /// @param last when it was done the last time
  public record Repairs(Set<String> by, int times, Instant last) {
    public Repairs {
      by = Collections.unmodifiableSet(new TreeSet<>(by));
    }
  }

  public Memory {
    begun = Collections.unmodifiableSortedSet(new TreeSet<>(begun));
    unsent = unsent.stream().map(PolicyStatus::withoutBody).toList();
    repairs = Collections.unmodifiableMap(new LinkedHashMap<>(repairs));
  }

  /// The same with another budget's measure.
  public Memory withOwnedBefore(Optional<Integer> owned) {
    return new Memory(owned, begun, unsent, repairs);
  }

  /// The same when writes of these policies are about to begin.
  Memory beginning(Collection<PolicyId> policies) {
    var all = new TreeSet<>(begun);
    all.addAll(policies);
    return new Memory(ownedBefore, all, unsent, repairs);
  }

  /// The same when the API was told of those and did not take these.
  Memory told(List<PolicyStatus> sent, List<PolicyStatus> notTaken) {
    var names = new HashSet<String>();
    sent.forEach(status -> names.add(status.name()));
    var left = new ArrayList<>(unsent);
    left.removeIf(status -> names.contains(status.name()));
    left.addAll(notTaken);
    return new Memory(ownedBefore, begun, left, repairs);
  }

  /// The same once everybody is told of all that was begun.
  Memory ended() {
    return new Memory(ownedBefore, Collections.emptySortedSet(), unsent, repairs);
  }

  /// How often in a row that policy had to be put right because of the same others. Who removed a
  /// field leaves no name; nobody is then taken for the same nobody.
  int timesRepaired(PolicyId policy, Set<String> by) {
    var before = repairs.get(policy);
    return before != null && same(before.by, by) ? before.times : 0;
  }

  /// The same when a policy that these others had changed was put right once more.
  Memory repaired(PolicyId policy, Set<String> by, Instant now) {
    var all = new LinkedHashMap<>(repairs);
    all.put(policy, new Repairs(by, timesRepaired(policy, by) + 1, now));
    return new Memory(ownedBefore, begun, unsent, all);
  }

  /// The same without what is too long ago to matter.
  Memory at(Instant now) {
    var lately = new LinkedHashMap<>(repairs);
    lately.values().removeIf(repair -> repair.last.isBefore(now.minus(LATELY)));
    return new Memory(ownedBefore, begun, unsent, lately);
  }

  private static boolean same(Set<String> some, Set<String> others) {
    return some.equals(others) || !Collections.disjoint(some, others);
  }
}
