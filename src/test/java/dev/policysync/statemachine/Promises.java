package dev.policysync.statemachine;

import dev.policysync.plan.Adoption;
import dev.policysync.sync.Stop;
import dev.policysync.sync.Summary;
import dev.policysync.yaml.Value;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/// The promises that hold after every run, whatever happened to it. Each is a method.
final class Promises {
  private final Episode episode;
  private final Books books;
  private final Oracle oracle;

  Promises(Episode episode, Books books, Oracle oracle) {
    this.episode = episode;
    this.books = books;
    this.oracle = oracle;
  }

  /// A promise that was not kept.
  static final class Broken extends AssertionError {
    private static final long serialVersionUID = 1L;

    private final String promise;

    Broken(String promise, Object what) {
      super(promise + ": " + what);
      this.promise = promise;
    }

    String promise() {
      return promise;
    }
  }

  void hold() {
    aDryRunWritesNothing();
    aBadFeedChangesNothing();
    neverTouchesWhatIsNotOwned();
    createsOnlyWhatIsExpected();
    changesOnlyWhatIsExpected();
    removesOnlyWhatMayGo();
    neverRemovesOverBudget();
    usesAnApprovalOnce();
    keepsWhatASuccessorIsToReplace();
    removesNothingWhileSomethingFailsForNow();
    appliesAndRemovesInTheSafeOrder();
    writesNothingAfterItsLeaseRanOut();
    saysWhatItDid();
    hasEverythingInForceWhenItSaysSo();
    tellsTheApiTheTruth();
    writesNoOlderFeedAtOnce();
    writesOneAfterTheOther();
    sendsNothingTwiceWithoutLooking();
    goesOnWhereOneIsRefused();
    new Shields(episode, oracle).hold();
  }

  private void aDryRunWritesNothing() {
    if (episode.live()) {
      return;
    }
    require(sent().isEmpty(), "a dry run writes nothing", sent());
    require(episode.told().isEmpty(), "a dry run reports no status", episode.told());
    require(
        episode.after().equals(episode.before()), "a dry run changes nothing", episode.changed());
  }

  private void aBadFeedChangesNothing() {
    if (episode.feedIsOne()) {
      return;
    }
    require(sent().isEmpty(), "a bad feed changes nothing", sent());
    require(
        episode.leaseAfter().equals(episode.leaseBefore()),
        "a bad feed takes no Lease",
        episode.leaseAfter());
    for (var run : episode.runs()) {
      require(
          run.ended() instanceof Ended.Said(var summary)
              && summary.ending() == Summary.Ending.FAILED,
          "a bad feed is a failure",
          run);
    }
  }

  private void neverTouchesWhatIsNotOwned() {
    for (var thing : episode.before().where(one -> !one.ours())) {
      var now = episode.after().get(thing.key());
      require(
          now.equals(Optional.of(thing)) || now.filter(it -> adopted(thing, it)).isPresent(),
          "never touches what is not owned",
          difference(thing, now));
    }
  }

  private boolean adopted(Thing was, Thing now) {
    var possible =
        episode.live()
            && episode.expects(was.key())
            && was.uid().equals(now.uid())
            && !was.terminating();
    var adoption = episode.conditions().adoption();
    return possible
        && switch (was.standing()) {
          case OURS, MADE_BY_ANOTHER_OBJECT -> false;
          case ANOTHER_SOURCES -> adoption == Adoption.ALWAYS;
          case UNOWNED, COPY ->
              adoption == Adoption.ALWAYS
                  || (adoption == Adoption.IDENTICAL && sameButForMarks(was, now));
        };
  }

  private static boolean sameButForMarks(Thing was, Thing now) {
    return was.spec().equals(now.spec())
        && withoutMarks(was.annotations().keySet()).equals(withoutMarks(now.annotations().keySet()))
        && withoutMarks(was.labels().keySet()).equals(withoutMarks(now.labels().keySet()))
        && was.annotations().entrySet().stream()
            .filter(note -> !marks().contains(note.getKey()))
            .allMatch(note -> note.getValue().equals(now.annotations().get(note.getKey())))
        && was.labels().entrySet().stream()
            .filter(note -> !marks().contains(note.getKey()))
            .allMatch(note -> note.getValue().equals(now.labels().get(note.getKey())));
  }

  private static Set<String> withoutMarks(Collection<String> names) {
    var rest = new TreeSet<>(names);
    rest.removeAll(marks());
    return rest;
  }

  /// With what kubectl leaves, which goes when an object is taken over.
  private static Set<String> marks() {
    return Set.of(
        Thing.OWNED_BY, Thing.APPLIED, Thing.SOURCE_MARK, Thing.MANAGED, People.LAST_APPLIED);
  }

  private void createsOnlyWhatIsExpected() {
    for (var thing : episode.created()) {
      require(
          episode.expects(thing.key()) && episode.live() && thing.ours(),
          "creates only what is expected",
          thing);
    }
  }

  private void changesOnlyWhatIsExpected() {
    for (var thing : episode.changed()) {
      var was = episode.before().get(thing.key()).orElseThrow();
      require(
          episode.expects(thing.key()) && episode.live() && !was.terminating(),
          "changes only what is expected",
          difference(was, Optional.of(thing)));
      require(
          !episode.unlistable().equals(Optional.of(thing.key().kind())),
          "touches nothing of a kind that it cannot list",
          thing);
    }
  }

  private void removesOnlyWhatMayGo() {
    var gone = episode.gone();
    for (var thing : gone) {
      require(thing.removable(), "removes nothing that is to be kept", thing);
      require(!episode.expects(thing.key()), "removes nothing that is expected", thing);
    }
    require(
        gone.isEmpty() || (episode.live() && episode.feedIsOne() && episode.feed().complete()),
        "removes nothing by a feed that is not sound",
        gone);
    require(
        gone.isEmpty() || episode.unlistable().isEmpty(),
        "removes nothing while a kind cannot be listed",
        gone);
  }

  private void neverRemovesOverBudget() {
    var gone = episode.gone();
    if (gone.isEmpty() || approved()) {
      return;
    }
    require(!episode.feed().empty(), "an empty feed removes nothing", gone);
    var pending = episode.pending().stream().filter(this::untouched).count();
    require(
        allows(Math.max(gone.size(), (int) pending)),
        "never removes over budget",
        gone
            + " of "
            + pending
            + " pending, by "
            + episode.conditions().allowance()
            + " of "
            + books.measure(episode.owned())
            + ", after "
            + books.removedLately(episode.began())
            + " on that day");
  }

  private boolean allows(int removals) {
    var lately = books.removedLately(episode.began());
    return episode
        .conditions()
        .allowance()
        .permits(removals + lately, books.measure(episode.owned()) + lately);
  }

  /// Whether somebody consented to precisely these removals, lately.
  boolean approved() {
    return episode
        .approval()
        .filter(_ -> !books.approvalIsOld())
        .flatMap(books::list)
        .filter(list -> within(episode.gone(), list))
        .filter(list -> within(episode.pending(), list))
        .filter(list -> within(list, episode.before().unwanted(episode.feed())))
        .isPresent();
  }

  static boolean same(List<Thing> some, List<Thing> others) {
    return within(some, others) && within(others, some);
  }

  /// By the very objects, not by their names.
  private static boolean within(List<Thing> some, List<Thing> others) {
    return some.stream()
        .allMatch(thing -> others.stream().anyMatch(other -> other.uid().equals(thing.uid())));
  }

  private void usesAnApprovalOnce() {
    var gone = episode.gone();
    var needed = !gone.isEmpty() && (episode.feed().empty() || !allows(gone.size()));
    var left = episode.leaseAfter().mapping("metadata").mapping("annotations").text(Lease.APPROVAL);
    require(!needed || left.isEmpty(), "uses an approval once", left);
  }

  private void keepsWhatASuccessorIsToReplace() {
    for (var thing : episode.gone()) {
      for (var wanted : episode.feed().expected().values()) {
        var successor =
            wanted.key().name().equals(thing.key().name())
                && wanted.key().kind() != thing.key().kind();
        if (successor && untouched(wanted.key())) {
          require(
              objection(wanted).isEmpty(),
              "removes nothing before its successor is in force",
              thing + " before " + wanted + ": " + objection(wanted).orElse(""));
        }
      }
    }
  }

  private void removesNothingWhileSomethingFailsForNow() {
    for (var run : episode.runs()) {
      var failing = new TreeSet<String>();
      for (var sent : run.wire().sent()) {
        if (sent.kind().isPresent() && !sent.removal()) {
          failing.remove(sent.path());
          if (sent.forced() && !isFoundToBeDone(sent)) {
            failing.add(sent.path());
          }
        } else if (sent.removal()) {
          require(
              failing.isEmpty(),
              "removes nothing while something fails that may pass",
              sent.path() + " was removed while these failed: " + failing);
        }
      }
    }
  }

  /// A write whose answer is lost is looked up at once, and may turn out to have been done.
  private boolean isFoundToBeDone(Wire.Sent sent) {
    return sent.status() == Wire.LOST
        && Key.at(sent.path())
            .map(key -> episode.feed().expected().get(key))
            .filter(wanted -> objection(wanted).isEmpty())
            .isPresent();
  }

  private void appliesAndRemovesInTheSafeOrder() {
    for (var run : episode.runs()) {
      var stage = 0;
      for (var sent : run.wire().sent()) {
        var next = sent.kind().map(kind -> stage(kind, sent.removal())).orElse(stage);
        require(
            next >= stage,
            "global context and exceptions are applied before policies and removed after them",
            run.wire().sent());
        stage = next;
      }
    }
  }

  private static int stage(Kind kind, boolean removal) {
    var step =
        switch (kind.role()) {
          case CONTEXT -> 1;
          case EXCEPTION -> 2;
          case POLICY -> 3;
        };
    return removal ? 10 - step : step;
  }

  private void writesNothingAfterItsLeaseRanOut() {
    for (var run : episode.runs()) {
      var frozen = run.wire().frozenAt();
      if (frozen == 0) {
        continue;
      }
      var after =
          run.wire().sent().stream().skip(frozen).filter(sent -> sent.kind().isPresent()).toList();
      require(after.isEmpty(), "writes nothing after its Lease ran out", after);
    }
  }

  private void saysWhatItDid() {
    for (var run : episode.runs()) {
      if (run.ended() instanceof Ended.Said(var summary) && summary.skipped().isPresent()) {
        // Since when an approval is there even a run without the Lease notes on it.
        require(
            run.wire().sent().stream()
                .filter(Wire.Sent::ok)
                .allMatch(sent -> sent.kind().isEmpty() && episode.approval().isPresent()),
            "a skipped run writes nothing",
            run);
      }
    }
    if (!episode.alone()
        || !(episode.runs().getFirst().ended() instanceof Ended.Said(var summary))
        || !episode.live()) {
      return;
    }
    var failed = summary.failed().stream().flatMap(one -> one.label().stream()).toList();
    var notAttempted = summary.notAttempted().stream().map(Summary.Note::policy).toList();
    for (var change : summary.removed()) {
      require(
          episode.gone().stream().anyMatch(thing -> thing.key().is(change.policy())),
          "says only what it did",
          change + " is not gone");
    }
    for (var thing : episode.gone()) {
      require(
          summary.removed().stream().anyMatch(one -> thing.key().is(one.policy()))
              || failed.contains(thing.key().toString()),
          "says all that it did",
          thing + " is gone");
    }
    var writes = Stream.concat(summary.applied().stream(), summary.updated().stream()).toList();
    for (var thing : both(episode.created(), episode.changed())) {
      require(
          writes.stream().anyMatch(one -> thing.key().is(one.policy()))
              || failed.contains(thing.key().toString())
              || notAttempted.contains(thing.key().toString()),
          "says all that it did",
          thing + " was written");
    }
    for (var wanted : episode.feed().expected().values()) {
      if (writes.stream().anyMatch(one -> wanted.key().is(one.policy()))) {
        require(
            objection(wanted).isEmpty(),
            "what was applied is in force",
            wanted + ": " + objection(wanted).orElse(""));
      }
    }
    for (var note : summary.withheld()) {
      var expected = episode.feed().expected().keySet().stream().filter(this::asBefore);
      var removals = episode.before().unwanted(episode.feed()).stream().map(Thing::key);
      require(
          Stream.concat(expected, removals.filter(this::asBefore))
              .anyMatch(key -> key.toString().equals(note.policy())),
          "what was withheld is as it was",
          note);
    }
  }

  private boolean asBefore(Key key) {
    return episode.after().get(key).equals(episode.before().get(key));
  }

  private void hasEverythingInForceWhenItSaysSo() {
    for (var run : episode.runs()) {
      if (episode.live()
          && run.ended() instanceof Ended.Said(var summary)
          && summary.ending() == Summary.Ending.DONE
          && summary.skipped().isEmpty()) {
        for (var wanted : episode.feed().expected().values()) {
          require(
              !untouched(wanted.key()) || objection(wanted).isEmpty(),
              "a run that succeeded has everything in force",
              wanted + ": " + objection(wanted).orElse(""));
        }
      }
    }
  }

  /// What is told again is of an earlier run, and true of that time.
  private void tellsTheApiTheTruth() {
    for (var status : episode.told()) {
      var second = episode.began().truncatedTo(java.time.temporal.ChronoUnit.SECONDS);
      if (!status.success() || status.at().isBefore(second)) {
        continue;
      }
      var name = status.name();
      if (episode.touched().stream().anyMatch(key -> key.name().equals(name))) {
        continue;
      }
      var inForce =
          episode.feed().expected().values().stream()
              .filter(wanted -> wanted.key().name().equals(name))
              .anyMatch(wanted -> objection(wanted).isEmpty());
      var stays =
          episode.after().unwanted(episode.feed()).stream()
              .anyMatch(thing -> thing.key().name().equals(name));
      var gone = episode.gone().stream().anyMatch(thing -> thing.key().name().equals(name));
      var goneBefore =
          books.written().keySet().stream()
              .anyMatch(key -> key.name().equals(name) && episode.after().get(key).isEmpty());
      require(
          status.applied() ? inForce : gone || goneBefore || !stays,
          "tells the API the truth",
          status);
    }
  }

  /// Of several that a feed goes back to, that it is one that agents wrote before they wrote
  /// another is certain; the first run that meets it then leaves it alone.
  private void writesNoOlderFeedAtOnce() {
    var writes = sent().stream().filter(sent -> sent.kind().isPresent()).toList();
    require(
        writes.isEmpty() || !episode.live() || !books.goesBackTo(episode.text()),
        "writes no older feed at once",
        writes);
  }

  /// A run that stood still is judged for itself.
  private void writesOneAfterTheOther() {
    for (var one : episode.runs()) {
      for (var other : episode.runs()) {
        require(
            one.equals(other)
                || one.wire().frozenAt() > 0
                || other.wire().frozenAt() > 0
                || end(one) < begin(other)
                || end(other) < begin(one),
            "one writes after the other",
            one.wire().sent() + " and " + other.wire().sent());
      }
    }
  }

  private static int begin(Agents.Run run) {
    return writes(run).mapToInt(Wire.Sent::begun).min().orElse(Integer.MAX_VALUE);
  }

  private static int end(Agents.Run run) {
    return writes(run).mapToInt(Wire.Sent::ended).max().orElse(Integer.MIN_VALUE);
  }

  private static Stream<Wire.Sent> writes(Agents.Run run) {
    return run.wire().sent().stream().filter(sent -> sent.kind().isPresent());
  }

  private void sendsNothingTwiceWithoutLooking() {
    for (var run : episode.runs()) {
      var blind = run.wire().blind();
      require(
          blind.isEmpty(), "sends nothing again of which nobody knows whether it was done", blind);
    }
  }

  /// Where nothing is in the way, all that can be in force is, whatever else is wrong in the feed.
  private void goesOnWhereOneIsRefused() {
    if (!episode.live()
        || !episode.feedIsOne()
        || !(episode.conditions().trouble() instanceof Trouble.None)
        || !(episode.runs().getFirst().ended() instanceof Ended.Said(var summary))
        || summary.skipped().isPresent()) {
      return;
    }
    for (var wanted : episode.feed().expected().values()) {
      var policy = wanted.key().toString();
      var reasonable =
          !wanted.acceptable()
              || Stream.of(summary.withheld(), summary.conflicts())
                  .flatMap(List::stream)
                  .anyMatch(note -> note.policy().equals(policy))
              || summary.notAttempted().stream()
                  .anyMatch(note ->
                      note.policy().equals(policy)
                          && note.reason().equals(Stop.UNSHIELDED.toString()))
              || episode.before().get(wanted.key()).filter(Thing::terminating).isPresent();
      require(
          reasonable || objection(wanted).isEmpty(),
          "one that is refused stops no other",
          wanted + ": " + objection(wanted).orElse(""));
    }
  }

  private boolean untouched(Thing thing) {
    return untouched(thing.key());
  }

  private boolean untouched(Key key) {
    return !episode.touched().contains(key);
  }

  private Optional<String> objection(Wanted wanted) {
    return wanted.acceptable()
        ? oracle.objection(wanted, episode.after().get(wanted.key()))
        : Optional.of("the API server cannot have taken it");
  }

  private List<Wire.Sent> sent() {
    return episode.runs().stream().flatMap(run -> run.wire().sent().stream()).toList();
  }

  private static <T> List<T> both(List<T> some, List<T> others) {
    var all = new ArrayList<>(some);
    all.addAll(others);
    return all;
  }

  private static String difference(Thing was, Optional<Thing> now) {
    return was
        + "\n  before: "
        + was.object()
        + "\n  after:  "
        + now.map(Thing::object).map(Value.Mapping::toString).orElse("gone");
  }

  static void require(boolean kept, String promise, Object what) {
    if (!kept) {
      throw new Broken(promise, what);
    }
  }
}
