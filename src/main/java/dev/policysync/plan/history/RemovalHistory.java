package dev.policysync.plan.history;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// What runs noted about removals, so that the budget is one of a day and not of a single run
/// (promise 4): a feed that shrinks in slices gets no further than one that shrinks at once.
///
/// With `removed` for the removals of the last 24 hours that nobody approved, a run may remove
/// `asked` policies if the budget allows
///
/// ```
/// removed + max(asked, withheld)   of   min(owned + removed, owned when the first of them began)
/// ```
///
/// where `owned` leaves out what was added while removals were withheld, or while the feed or the
/// cluster was not known to the end ([#ownedBefore]). So what a wrong feed adds never makes room
/// for what it removes, and what was withheld at once does not pass piece by piece.
///
/// @param ownedBefore how many policies were owned when removals were first withheld, or when
///   policies were added while the feed or the cluster was not known to the end; it stands until a
///   run is certain that no removal is pending
/// @param withheld the most removals that were withheld together since then
/// @param removed what runs removed without a person's approval, a slot of time each, oldest first;
///   what a person approved does not count
/// @param begun the uids of what the last run was about to remove, counted in `removed`, until it
///   has noted what came of them: a run that was killed never does
public record RemovalHistory(
    Optional<Integer> ownedBefore,
    Optional<Withheld> withheld,
    List<Removed> removed,
    SortedSet<String> begun) {
  /// Nothing.
  public static final RemovalHistory NONE =
      new RemovalHistory(Optional.empty(), Optional.empty(), List.of());

  /// One in which no run was killed.
  public RemovalHistory(
      Optional<Integer> ownedBefore, Optional<Withheld> withheld, List<Removed> removed) {
    this(ownedBefore, withheld, removed, Collections.emptySortedSet());
  }

  /// How long a removal counts, from the end of its slot on, and what was withheld.
  public static final Duration WINDOW = Duration.ofHours(24);

  /// Removals of so long a time are one entry: a day of runs every five minutes is 49 entries.
  private static final Duration SLOT = Duration.ofMinutes(30);

  /// What is still withheld is noted anew only so often: a run that finds nothing new writes
  /// nothing.
  private static final Duration RENEWED_AFTER = Duration.ofHours(1);

  /// In the order of time, one entry a slot.
  public RemovalHistory {
    var slots = new TreeMap<Instant, Removed>();
    removed.forEach(entry -> slots.merge(entry.slot(), entry, Removed::and));
    removed = List.copyOf(slots.values());
    begun = Collections.unmodifiableSortedSet(new TreeSet<>(begun));
  }

  /// Removals that a guard withheld together, none of which anybody approved.
  ///
  /// @param count how many at most
  /// @param at when that many were asked for last, or up to an hour before
  public record Withheld(int count, Instant at) {}

  /// What was removed in a slot of time.
  ///
  /// @param slot when the slot began
  /// @param count how many
  /// @param owned how many policies were owned when the first of its runs began
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

  /// What a plan leaves for the runs after it.
  ///
  /// @param ownedBefore the measure to remember, see [RemovalHistory#ownedBefore]
  /// @param withheld how many removals are withheld together and count against later feeds; none
  ///   where it is 0
  /// @param owned how many policies were owned before the plan's removals; 0 where it has none of
  ///   its own, as a person approved them
  public record Note(Optional<Integer> ownedBefore, int withheld, int owned) {
    /// Nothing.
    public static final Note NONE = new Note(Optional.empty(), 0, 0);
  }

  /// The same without what no longer counts. What a clock that was ahead noted counts from now on.
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
    return new RemovalHistory(ownedBefore, lately, slots, begun);
  }

  /// Whether removals are withheld, or may be pending.
  public boolean pending() {
    return ownedBefore.isPresent();
  }

  /// How many policies were removed within the window without anybody's approval.
  int removedLately() {
    return removed.stream().mapToInt(Removed::count).reduce(0, RemovalHistory::sum);
  }

  /// How many removals were withheld together, as far as that counts.
  public int withheldLately() {
    return withheld.map(Withheld::count).orElse(0);
  }

  /// How many of so many owned policies the budget may know.
  public int known(int owned) {
    return Math.min(owned, ownedBefore.orElse(owned));
  }

  /// Whether that budget allows so many more removals.
  ///
  /// @param owned how many policies are owned now
  public boolean allows(RemovalBudget budget, int asked, int owned) {
    var before = sum(known(owned), removedLately());
    var measure = removed.isEmpty() ? before : Math.min(before, removed.getFirst().owned);
    return budget.allows(sum(removedLately(), Math.max(asked, withheldLately())), measure);
  }

  /// What counts beside so many removals, in words; empty where nothing does.
  public String besides(int asked) {
    if (removedLately() > 0) {
      return removedLately() + " removed in the last 24 hours count as well";
    }
    return withheldLately() > asked
        ? withheldLately() + " were requested together in the last 24 hours"
        : "";
  }

  /// The same with what a plan leaves.
  public RemovalHistory with(Note note, Instant now) {
    return new RemovalHistory(note.ownedBefore, withheld(note.withheld, now), removed, begun);
  }

  private Optional<Withheld> withheld(int count, Instant now) {
    var fresh =
        withheld.filter(held ->
            held.count == count
                && !held.at.isAfter(now)
                && now.isBefore(held.at.plus(RENEWED_AFTER)));
    return count == 0 ? Optional.empty() : fresh.or(() -> Optional.of(new Withheld(count, now)));
  }

  /// The same when so many removals are about to be done by that plan.
  public RemovalHistory removing(int count, Note note, Instant now) {
    if (count == 0) {
      return this;
    }
    var all = new ArrayList<>(removed);
    all.add(new Removed(now, count, note.owned));
    return new RemovalHistory(ownedBefore, withheld, all, begun);
  }

  /// The same when it is these objects that are about to be removed.
  public RemovalHistory beginning(Collection<String> uids) {
    return new RemovalHistory(ownedBefore, withheld, removed, new TreeSet<>(uids));
  }

  /// The same where these objects are there: what the last run had begun to remove and is there was
  /// not removed.
  public RemovalHistory seeing(Set<String> uids) {
    return without((int) begun.stream().filter(uids::contains).count());
  }

  /// The same when so many of the removals that were noted last were not done after all, and the
  /// others were.
  public RemovalHistory without(int count) {
    var left = new ArrayList<>(removed);
    var over = count;
    while (over > 0 && !left.isEmpty()) {
      var last = left.removeLast();
      if (last.count > over) {
        left.add(new Removed(last.slot, last.count - over, last.owned));
      }
      over -= Math.min(over, last.count);
    }
    return new RemovalHistory(ownedBefore, withheld, left);
  }

  private static int sum(int one, int other) {
    return (int) Math.min(Integer.MAX_VALUE, (long) one + other);
  }
}
