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
///   policies were added while the feed or the cluster was not known to the end, less those removed
///   since; it stands until a run is certain that no removal is pending
/// @param withheld the most removals that were withheld together since then
/// @param removed what runs removed without a person's approval, a slot of time each, oldest first;
///   what a person approved does not count
/// @param begun the uids of removals that are counted in `removed` and may not have been done: the
///   run was killed, or the API server answered with an error that may come after the fact
///   (`etcdserver: request timed out`). The next run that lists every kind sees which of the
///   objects are still in the cluster ([#seeing])
/// @param gap what earlier runs recorded and cannot be read; removals wait then, as what is not
///   known of earlier runs may be a day's budget
/// @param deferred removals that wait for a later run, if any
public record RemovalHistory(
    Optional<Integer> ownedBefore,
    Optional<Withheld> withheld,
    List<Removed> removed,
    SortedSet<String> begun,
    Optional<Gap> gap,
    Optional<Deferred> deferred) {
  /// Nothing.
  public static final RemovalHistory NONE =
      new RemovalHistory(Optional.empty(), Optional.empty(), List.of());

  /// One of which every removal is known.
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

  /// What earlier runs recorded and cannot be read, of whatever kind: who changed one part of it
  /// may have changed others.
  ///
  /// @param unreadable the names of what was found unreadable just now; none once that is recorded
  /// @param since when it was recorded that something is missing; nothing that is older than a day
  ///   counts, so removals wait for a day from then on, or for an approval
  public record Gap(List<String> unreadable, Optional<Instant> since) {
    public Gap {
      unreadable = List.copyOf(unreadable);
    }

    /// A gap that is recorded.
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

  /// Removals that a run left to a later one, as it changed what they depend on.
  ///
  /// @param changed when the last run did that
  /// @param approved the uids of those among them that a person approved: the approval itself is
  ///   used up by then
  /// @param approvedAt when the first of them was approved, from which on a day counts
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

    /// The same when so many of the owned policies are removed.
    public Note without(int removals) {
      return new Note(ownedBefore.map(before -> Math.max(0, before - removals)), withheld, owned);
    }
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
    var open = gap.map(it -> it.recordedAt(now)).filter(it -> it.counts(now));
    return new RemovalHistory(
        ownedBefore, lately, slots, begun, open, deferred.map(it -> it.at(now)));
  }

  /// The same where these parts of what earlier runs recorded cannot be read.
  public RemovalHistory missing(List<String> unreadable) {
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

  /// The names of what was found unreadable and is not yet recorded to be.
  public List<String> unreadable() {
    return gap.map(Gap::unreadable).orElse(List.of());
  }

  /// From when on removals no longer wait for what cannot be read; empty where they do not.
  public Optional<Instant> completeFrom() {
    return gap.flatMap(Gap::since).map(since -> since.plus(WINDOW));
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

  /// The same when so many removals are about to be done by that plan.
  public RemovalHistory removing(int count, Note note, Instant now) {
    if (count == 0) {
      return this;
    }
    var all = new ArrayList<>(removed);
    all.add(new Removed(now, count, note.owned));
    return new RemovalHistory(ownedBefore, withheld, all, begun, gap, deferred);
  }

  /// The same when these objects are about to be removed, too.
  public RemovalHistory beginning(Collection<String> uids) {
    var all = new TreeSet<>(begun);
    all.addAll(uids);
    return new RemovalHistory(ownedBefore, withheld, removed, all, gap, deferred);
  }

  /// The same for a cluster in which exactly these objects stay: what was begun and stays was not
  /// removed, and the rest was.
  ///
  /// @param uids without objects that are marked for deletion, which only wait for a finalizer
  public RemovalHistory seeing(Set<String> uids) {
    return forget(begun.stream().filter(uids::contains).toList()).confirm(begun);
  }

  /// The same when these removals, which were begun, were done: they count from now on whatever a
  /// run sees.
  public RemovalHistory confirm(Collection<String> uids) {
    var open = new TreeSet<>(begun);
    open.removeAll(uids);
    return new RemovalHistory(ownedBefore, withheld, removed, open, gap, deferred);
  }

  /// The same when these removals, which were begun, were not done after all.
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

  /// When a run changed something that a removal waits for which it left to a later run.
  public Optional<Instant> changed() {
    return deferred.map(Deferred::changed);
  }

  /// Whether a person approved the removal of that object, which waits since.
  public boolean approved(String uid) {
    return deferred.filter(it -> it.approved.contains(uid)).isPresent();
  }

  /// The same when a run changes something that removals wait for, these among them with a person's
  /// approval.
  public RemovalHistory deferring(Set<String> approved, Instant now) {
    var at = now.truncatedTo(ChronoUnit.SECONDS);
    var since = deferred.filter(it -> !it.approved.isEmpty()).map(Deferred::approvedAt).orElse(at);
    return deferred(Optional.of(new Deferred(at, new TreeSet<>(approved), since)));
  }

  /// The same where no approval but for the removal of these objects still waits.
  public RemovalHistory approvedOnly(Set<String> uids) {
    return deferred(
        deferred.map(it -> {
          var left = new TreeSet<>(it.approved);
          left.retainAll(uids);
          return new Deferred(it.changed, left, it.approvedAt);
        }));
  }

  /// The same where no removal waits any more.
  public RemovalHistory deferringNone() {
    return deferred(Optional.empty());
  }

  private RemovalHistory deferred(Optional<Deferred> now) {
    return new RemovalHistory(ownedBefore, withheld, removed, begun, gap, now);
  }

  /// The same removals as if all had been done when the last was, of the fewest policies that any
  /// of them was measured by.
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
