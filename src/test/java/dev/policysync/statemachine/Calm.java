package dev.policysync.statemachine;

import dev.policysync.plan.Adoption;
import dev.policysync.sync.Summary;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What holds once a run went through undisturbed, whatever happened before it.
final class Calm {
  private final Episode episode;
  private final World world;

  Calm(Episode episode, World world) {
    this.episode = episode;
    this.world = world;
  }

  void hold() {
    endsWell();
    everythingExpectedIsInForce();
    everythingElseIsGoneOrHeldBack();
    theLeaseIsFree();
    noStatusIsLeft();
    everyStatusWasSent();
  }

  private void endsWell() {
    Promises.require(
        episode.runs().getFirst().ended() instanceof Ended.Said(var summary)
            && (summary.ending() == Summary.Ending.DONE
                || summary.ending() == Summary.Ending.WITHHELD),
        "an undisturbed run ends well",
        episode.runs());
  }

  private void everythingExpectedIsInForce() {
    for (var wanted : episode.feed().expected().values()) {
      if (!conflicts(wanted) && !waitsForItsShield(wanted)) {
        var now = episode.after().get(wanted.key());
        var objection = world.oracle().objection(wanted, now);
        Promises.require(objection.isEmpty(), "ends in sync", wanted + ": " + objection.orElse(""));
        var other = now.flatMap(Oracle::otherOwner);
        Promises.require(
            other.isEmpty(), "owns what it applied alone", wanted + ": " + other.orElse(""));
      }
    }
  }

  /// Whether it would begin to block without an exception or an entry whose name is taken.
  private boolean waitsForItsShield(Wanted wanted) {
    return wanted.blocks()
        && episode.feed().expected().values().stream()
            .anyMatch(shield -> conflicts(shield) && Shields.serves(shield, wanted));
  }

  /// Whether its name is taken by an object that may not be taken over.
  private boolean conflicts(Wanted wanted) {
    var there = episode.before().get(wanted.key());
    return there.isPresent()
        && switch (there.get().standing()) {
          case OURS -> false;
          case MADE_BY_ANOTHER_OBJECT -> true;
          case ANOTHER_SOURCES -> episode.conditions().adoption() != Adoption.ALWAYS;
          case UNOWNED, COPY ->
              switch (episode.conditions().adoption()) {
                case ALWAYS -> false;
                case NEVER -> true;
                case IDENTICAL -> world.oracle().content(wanted, there.get()).isPresent();
              };
        };
  }

  private void everythingElseIsGoneOrHeldBack() {
    var most = episode.before().unwanted(episode.feed()).size();
    var within = !episode.feed().empty() && episode.conditions().allowance().permits(most, 0);
    var left = episode.after().pending(episode.feed());
    Promises.require(
        !within || left.isEmpty() || heldBackForTheDay(left),
        "removes what is gone from the feed",
        left);
  }

  /// Whether the agent says that what was asked for before uses the day's budget up, and it was.
  private boolean heldBackForTheDay(List<Thing> left) {
    return world.books().askedLately(episode.began())
        && episode.runs().getFirst().ended() instanceof Ended.Said(var summary)
        && left.stream()
            .allMatch(thing ->
                summary.withheld().stream()
                    .anyMatch(note ->
                        note.policy().equals(thing.key().toString())
                            && note.reason().contains("in the last 24 hours")));
  }

  /// A run that has nothing to write leaves a dead holder's Lease alone.
  private void theLeaseIsFree() {
    var idle =
        episode.created().isEmpty() && episode.changed().isEmpty() && episode.gone().isEmpty();
    var free = idle || world.lease().holder().isEmpty();
    Promises.require(free, "gives the Lease back", world.lease().read());
  }

  private void noStatusIsLeft() {
    var memory = world.lease().memory();
    Promises.require(!memory.contains("unsent"), "has nothing more to tell", memory);
  }

  /// For everything that agents wrote, the API has taken a status that says how it is, from that
  /// write or later (promise 12). It knows names only: while another object of the name is not as
  /// it should be, the name is not settled.
  private void everyStatusWasSent() {
    var settled = new ArrayList<Key>();
    for (var entry : world.books().written().entrySet()) {
      var key = entry.getKey();
      var written = entry.getValue();
      if (!waits(key.name())) {
        settled.add(key);
        Promises.require(
            !asWritten(key, written) || told(key, written),
            "forgets no status",
            key + " was " + (written.removed() ? "removed" : "applied") + " at " + written.at());
      }
    }
    settled.forEach(world.books().written()::remove);
  }

  private boolean waits(String name) {
    var expected = episode.feed().expected();
    return !episode
            .after()
            .where(thing ->
                thing.key().name().equals(name)
                    && thing.marked()
                    && !expected.containsKey(thing.key()))
            .isEmpty()
        || expected.values().stream()
            .anyMatch(wanted -> wanted.key().name().equals(name) && conflicts(wanted));
  }

  /// Whether nobody else had a hand in it since.
  private boolean asWritten(Key key, Books.Written written) {
    var wanted = Optional.ofNullable(episode.feed().expected().get(key));
    var there = episode.after().get(key);
    return written.removed()
        ? wanted.isEmpty() && there.isEmpty()
        : wanted.isPresent() && world.oracle().objection(wanted.get(), there).isEmpty();
  }

  private boolean told(Key key, Books.Written written) {
    return world.statusesSince(0).stream()
        .filter(status -> status.name().equals(key.name()) && status.success())
        .anyMatch(status -> !status.at().isBefore(written.second()));
  }
}
