package dev.policysync.plan;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// The removals that runs have recorded. With them, the budget applies to a day and not to a single
/// run (promise 4): a feed that shrinks in steps removes no more than a feed that shrinks at once.
///
/// With `removed` for the removals of the last 24 hours that were not approved, a run may remove
/// `asked` policies if the budget allows
///
/// ```
/// removed + max(asked, withheld)   of   min(owned + removed, owned when the first of them began)
/// ```
///
/// where `owned` leaves out the policies that were added while removals were withheld, or while a
/// part of the feed or the cluster was unknown ([#ownedBefore]). So the policies that a wrong feed
/// adds never make room for its removals, and removals that were withheld together do not pass one
/// by one.
///
/// @param ownedBefore how many policies were owned when removals were first withheld, or when
///   policies were added while a part of the feed or the cluster was unknown, less those removed
///   since; kept until a run is certain that no removal is pending
/// @param withheld the largest number of removals that were withheld together since then
/// @param removed the removals without a person's approval, one entry per time slot, oldest first
/// @param begun the uids of removals that are counted in `removed` but may not have been done: the
///   run was killed, or the API server returned an error that does not exclude success
///   (`etcdserver: request timed out`). The next run that lists every kind sees which of the
///   objects still exist ([#settleBegun])
/// @param gap the recorded state that cannot be read; removals wait then, because the unreadable
///   part may contain a whole day's budget
/// @param deferred removals that wait for a later run, if any
public record RemovalHistory(
    Optional<Integer> ownedBefore,
    Optional<Withheld> withheld,
    List<Removed> removed,
    SortedSet<String> begun,
    Optional<Gap> gap,
    Optional<Deferred> deferred) {
  public static final RemovalHistory NONE =
      new RemovalHistory(Optional.empty(), Optional.empty(), List.of());

  /// Creates a history in which every removal is known to be done.
  public RemovalHistory(
      Optional<Integer> ownedBefore, Optional<Withheld> withheld, List<Removed> removed) {
    this(
        ownedBefore,
        withheld,
        removed,
        Collections.emptySortedSet(),
        Optional.empty(),
        Optional.empty());
  }

  /// How long a removal counts after the end of its slot, and how long withheld removals count.
  public static final Duration WINDOW = Duration.ofHours(24);

  /// The length of a slot. Removals within one slot are one entry: a day of runs every five minutes
  /// is 49 entries.
  private static final Duration SLOT = Duration.ofMinutes(30);

  /// The age at which the record of withheld removals is renewed. Until then, a run that finds
  /// nothing new writes nothing.
  private static final Duration RENEWED_AFTER = Duration.ofHours(1);

  /// Sorts the removals by time and merges them into one entry per slot.
  public RemovalHistory {
    var slots = new TreeMap<Instant, Removed>();
    removed.forEach(entry -> slots.merge(entry.slot(), entry, Removed::and));
    removed = List.copyOf(slots.values());
    begun = Collections.unmodifiableSortedSet(new TreeSet<>(begun));
  }

  /// Recorded state that cannot be read, of any kind: a client that changed one part may have
  /// changed others.
  ///
  /// @param unreadable the names of the parts that this run found unreadable; empty once the gap is
  ///   recorded
  /// @param since when the gap was recorded; removals wait for an approval, or for a day from then
  ///   on, because older removals no longer count
  public record Gap(List<String> unreadable, Optional<Instant> since) {
    public Gap {
      unreadable = List.copyOf(unreadable);
    }

    public static Gap since(Instant since) {
      return new Gap(List.of(), Optional.of(since));
    }

    private Gap recordedAt(Instant now) {
      return since(
          since.filter(time -> !time.isAfter(now)).orElse(now).truncatedTo(ChronoUnit.SECONDS));
    }

    private boolean counts(Instant now) {
      return since.filter(time -> !now.isBefore(time.plus(WINDOW))).isEmpty();
    }
  }

  /// Removals that a run left to a later run because it changed a policy that they depend on.
  ///
  /// @param changed when a run last made such a change
  /// @param approved the uids of the removals that a person approved; the approval itself is used
  ///   up by then
  /// @param approvedAt when the first of them was approved; the approval is valid for a day from
  ///   then on
  public record Deferred(Instant changed, SortedSet<String> approved, Instant approvedAt) {
    public Deferred {
      approved = Collections.unmodifiableSortedSet(new TreeSet<>(approved));
    }

    private Deferred at(Instant now) {
      var over = !now.isBefore(approvedAt.plus(WINDOW));
      return new Deferred(
          changed,
          over ? Collections.emptySortedSet() : approved,
          approvedAt.isAfter(now) ? now : approvedAt);
    }
  }

  /// Removals that a guard withheld together, without an approval.
  ///
  /// @param count the largest number of them
  /// @param at when that many were last requested, accurate to an hour
  public record Withheld(int count, Instant at) {}

  /// The removals of one slot of time.
  ///
  /// @param slot when the slot began
  /// @param count the number of removals
  /// @param owned the number of owned policies when the first run of the slot began
  public record Removed(Instant slot, int count, int owned) {
    public Removed {
      var seconds = slot.getEpochSecond();
      slot = Instant.ofEpochSecond(seconds - Math.floorMod(seconds, SLOT.toSeconds()));
      if (count < 0 || owned < 0) {
        throw new IllegalArgumentException("negative number of removals");
      }
    }

    private Removed and(Removed later) {
      return new Removed(slot, sum(count, later.count), owned);
    }
  }

  /// What a plan records for later runs.
  ///
  /// @param ownedBefore the number to record, see [RemovalHistory#ownedBefore]
  /// @param withheld the number of removals that are withheld together and count against later
  ///   feeds; 0 for none
  /// @param owned the number of owned policies before the plan's removals; 0 if the removals do not
  ///   count, because a person approved them
  public record Note(Optional<Integer> ownedBefore, int withheld, int owned) {
    public static final Note NONE = new Note(Optional.empty(), 0, 0);

    /// Returns the note after this number of owned policies was removed.
    public Note afterRemoving(int removals) {
      return new Note(ownedBefore.map(before -> Math.max(0, before - removals)), withheld, owned);
    }
  }

  /// Returns the history without entries that no longer count. An entry from the future, from a
  /// clock that was ahead, counts from now on.
  public RemovalHistory at(Instant now) {
    var slots = new ArrayList<Removed>();
    for (var entry : removed) {
      if (entry.slot.isAfter(now)) {
        slots.add(new Removed(now, entry.count, entry.owned));
      } else if (now.isBefore(entry.slot.plus(SLOT).plus(WINDOW))) {
        slots.add(entry);
      }
    }
    var lately = withheld.filter(held -> now.isBefore(held.at.plus(WINDOW)));
    var open = gap.map(it -> it.recordedAt(now)).filter(it -> it.counts(now));
    return new RemovalHistory(
        ownedBefore, lately, slots, begun, open, deferred.map(it -> it.at(now)));
  }

  /// Returns the history with these parts of the recorded state marked as unreadable.
  public RemovalHistory withUnreadable(List<String> unreadable) {
    return unreadable.isEmpty()
        ? this
        : new RemovalHistory(
            ownedBefore,
            withheld,
            removed,
            begun,
            Optional.of(new Gap(unreadable, Optional.empty())),
            deferred);
  }

  /// Returns the names of the unreadable parts that are not yet recorded.
  public List<String> unreadable() {
    return gap.map(Gap::unreadable).orElse(List.of());
  }

  /// Returns the time until which removals wait because of unreadable state; empty if they do not
  /// wait.
  public Optional<Instant> completeFrom() {
    return gap.flatMap(Gap::since).map(since -> since.plus(WINDOW));
  }

  /// Returns whether removals are withheld, or may be pending.
  public boolean pending() {
    return ownedBefore.isPresent();
  }

  int removedLately() {
    return removed.stream().mapToInt(Removed::count).reduce(0, RemovalHistory::sum);
  }

  /// Returns how many removals were withheld together, within the window.
  public int withheldLately() {
    return withheld.map(Withheld::count).orElse(0);
  }

  /// Returns how many of the owned policies count for the budget.
  public int countedOwned(int owned) {
    return Math.min(owned, ownedBefore.orElse(owned));
  }

  /// Returns whether the budget allows this number of further removals.
  ///
  /// @param owned the number of owned policies now
  public boolean allows(RemovalBudget budget, int asked, int owned) {
    return budget.allows(
        sum(removedLately(), Math.max(asked, withheldLately())), ownedAtFirst(owned));
  }

  /// Returns how many policies the budget is a share of: those that were owned before the removals
  /// of the last 24 hours.
  private int ownedAtFirst(int owned) {
    var before = sum(countedOwned(owned), removedLately());
    return removed.isEmpty() ? before : Math.min(before, removed.getFirst().owned);
  }

  /// Returns why the budget does not allow the removals: `9 requested and 1 removed in the last 24
  /// hours; MAX_REMOVALS=20% allows 2 of 10`.
  public String explain(RemovalBudget budget, int asked, int owned) {
    var requested =
        withheldLately() > asked
            ? withheldLately() + " requested together in the last 24 hours"
            : asked + " requested";
    var removed =
        removedLately() > 0 ? " and " + removedLately() + " removed in the last 24 hours" : "";
    var all = ownedAtFirst(owned);
    return requested
        + removed
        + "; MAX_REMOVALS="
        + budget
        + " allows "
        + budget.most(all)
        + " of "
        + all;
  }

  public RemovalHistory with(Note note, Instant now) {
    return new RemovalHistory(
        note.ownedBefore,
        withheld(note.withheld, now),
        removed,
        begun,
        gap.map(it -> it.recordedAt(now)),
        deferred);
  }

  private Optional<Withheld> withheld(int count, Instant now) {
    var fresh =
        withheld.filter(held ->
            held.count == count
                && !held.at.isAfter(now)
                && now.isBefore(held.at.plus(RENEWED_AFTER)));
    return count == 0 ? Optional.empty() : fresh.or(() -> Optional.of(new Withheld(count, now)));
  }

  /// Returns the history for a plan that is about to do this number of removals.
  public RemovalHistory removing(int count, Note note, Instant now) {
    if (count == 0) {
      return this;
    }
    var all = new ArrayList<>(removed);
    all.add(new Removed(now, count, note.owned));
    return new RemovalHistory(ownedBefore, withheld, all, begun, gap, deferred);
  }

  /// Returns the history when the removal of these objects is about to begin, too.
  public RemovalHistory beginning(Collection<String> uids) {
    var all = new TreeSet<>(begun);
    all.addAll(uids);
    return new RemovalHistory(ownedBefore, withheld, removed, all, gap, deferred);
  }

  /// Returns the history after a list of the cluster in which exactly these objects exist: a
  /// removal that was begun is done unless its object still exists.
  ///
  /// @param uids the existing objects, without those marked for deletion, which only wait for a
  ///   finalizer
  public RemovalHistory settleBegun(Set<String> uids) {
    return forget(begun.stream().filter(uids::contains).toList()).confirm(begun);
  }

  /// Returns the history with these begun removals as done. They count from now on, whether or not
  /// a later run still sees the objects.
  public RemovalHistory confirm(Collection<String> uids) {
    var open = new TreeSet<>(begun);
    open.removeAll(uids);
    return new RemovalHistory(ownedBefore, withheld, removed, open, gap, deferred);
  }

  /// Returns the history with these begun removals as not done.
  public RemovalHistory forget(Collection<String> uids) {
    var left = new ArrayList<>(removed);
    var over = uids.size();
    while (over > 0 && !left.isEmpty()) {
      var last = left.removeLast();
      if (last.count > over) {
        left.add(new Removed(last.slot, last.count - over, last.owned));
      }
      over -= Math.min(over, last.count);
    }
    return new RemovalHistory(ownedBefore, withheld, left, begun, gap, deferred).confirm(uids);
  }

  /// Returns when a run last changed a policy that a waiting removal depends on.
  public Optional<Instant> dependencyChangedAt() {
    return deferred.map(Deferred::changed);
  }

  /// Returns whether a person approved the removal of that object and the removal still waits.
  public boolean approved(String uid) {
    return deferred.filter(it -> it.approved.contains(uid)).isPresent();
  }

  /// Returns the history when a run changes policies that removals wait for.
  ///
  /// @param approved the uids of the waiting removals that a person approved
  public RemovalHistory deferring(Set<String> approved, Instant now) {
    var at = now.truncatedTo(ChronoUnit.SECONDS);
    var since = deferred.filter(it -> !it.approved.isEmpty()).map(Deferred::approvedAt).orElse(at);
    return deferred(Optional.of(new Deferred(at, new TreeSet<>(approved), since)));
  }

  /// Returns the history with approvals of waiting removals for these objects only.
  public RemovalHistory approvedOnly(Set<String> uids) {
    return deferred(
        deferred.map(it -> {
          var left = new TreeSet<>(it.approved);
          left.retainAll(uids);
          return new Deferred(it.changed, left, it.approvedAt);
        }));
  }

  public RemovalHistory deferringNone() {
    return deferred(Optional.empty());
  }

  private RemovalHistory deferred(Optional<Deferred> now) {
    return new RemovalHistory(ownedBefore, withheld, removed, begun, gap, now);
  }

  /// Returns the history with all removals merged into the latest slot, and the smallest number of
  /// owned policies of any slot.
  public RemovalHistory inOneSlot() {
    if (removed.isEmpty()) {
      return this;
    }
    var all =
        removed.stream()
            .reduce((one, other) ->
                new Removed(
                    other.slot, sum(one.count, other.count), Math.min(one.owned, other.owned)));
    return new RemovalHistory(ownedBefore, withheld, List.of(all.get()), begun, gap, deferred);
  }

  private static int sum(int one, int other) {
    return (int) Math.min(Integer.MAX_VALUE, (long) one + other);
  }
}
