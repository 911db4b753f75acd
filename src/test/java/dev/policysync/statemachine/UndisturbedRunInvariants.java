package dev.policysync.statemachine;

import dev.policysync.plan.Guard;
import dev.policysync.sync.Summary;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What holds once a run went through undisturbed, whatever happened before it.
final class UndisturbedRunInvariants {
  private final Episode episode;
  private final World world;
  private final DependencyModel dependencyModel;

  UndisturbedRunInvariants(Episode episode, World world) {
    this.episode = episode;
    this.world = world;
    this.dependencyModel = new DependencyModel(episode, world.oracle());
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
    RunInvariants.require(
        episode.runs().getFirst().runEnd() instanceof RunEnd.Said(var summary)
            && (summary.status() == Summary.RunStatus.DONE
                || summary.status() == Summary.RunStatus.WITHHELD),
        "an undisturbed run ends well",
        episode.runs());
  }

  private void everythingExpectedIsInForce() {
    for (var modelPolicy : episode.modelFeed().expected().values()) {
      if (!dependencyModel.conflicts(modelPolicy)
          && !dependencyModel.waitsForItsShield(modelPolicy)) {
        var now = episode.after().get(modelPolicy.objectKey());
        var objection = world.oracle().objection(modelPolicy, now);
        RunInvariants.require(
            objection.isEmpty(), "ends in sync", modelPolicy + ": " + objection.orElse(""));
        var other = now.flatMap(Oracle::otherOwner);
        RunInvariants.require(
            other.isEmpty(), "owns what it applied alone", modelPolicy + ": " + other.orElse(""));
      }
    }
  }

  private void everythingElseIsGoneOrHeldBack() {
    var most = episode.before().unwanted(episode.modelFeed()).size();
    var within =
        !episode.modelFeed().empty()
            && episode.conditions().expectedRemovalBudget().permits(most, 0);
    var left = dependencyModel.inQuestion(episode.after());
    RunInvariants.require(
        !within || left.isEmpty() || heldBackForTheDay(left),
        "removes what is gone from the feed",
        left);
  }

  /// Whether the agent says that what was asked for before uses the day's budget up, and it was; or
  /// that nobody knows, and that is so.
  private boolean heldBackForTheDay(List<ObservedObject> left) {
    return episode.runs().getFirst().runEnd() instanceof RunEnd.Said(var summary)
        && left.stream()
            .allMatch(observedObject ->
                summary.pending().withheldNotes().stream()
                    .anyMatch(note ->
                        note.policy().equals(observedObject.objectKey().toString())
                            && mayBeHeldBackFor(note.reason())));
  }

  private boolean mayBeHeldBackFor(String reason) {
    return (reason.contains("in the last 24 hours") && world.books().askedLately(episode.began()))
        || (reason.startsWith(Guard.STATE_UNREADABLE.toString()) && world.books().wasSpoilt());
  }

  /// A run that has nothing to write leaves a dead holder's Lease alone.
  private void theLeaseIsFree() {
    var idle =
        episode.created().isEmpty() && episode.changed().isEmpty() && episode.gone().isEmpty();
    var free = idle || world.lease().holder().isEmpty();
    RunInvariants.require(free, "gives the Lease back", world.lease().read());
  }

  /// What another source's API did not take waits for its agent.
  private void noStatusIsLeft() {
    var left = world.lease().unsent(episode.source());
    RunInvariants.require(left.isEmpty(), "has nothing more to tell", left);
  }

  /// For everything that agents wrote, the API has taken a status that says how it is, from that
  /// write or later (promise 12). It knows names only: while another object of the name is not as
  /// it should be, the name is not settled.
  private void everyStatusWasSent() {
    var settled = new ArrayList<ObjectKey>();
    for (var entry : world.books().written().entrySet()) {
      var objectKey = entry.getKey();
      var written = entry.getValue();
      if (written.source().equals(episode.source()) && !waits(objectKey.name())) {
        settled.add(objectKey);
        RunInvariants.require(
            !asWritten(objectKey, written) || told(objectKey, written),
            "forgets no status",
            objectKey
                + " was "
                + (written.removed() ? "removed" : "applied")
                + " at "
                + written.at());
      }
    }
    settled.forEach(world.books().written()::remove);
  }

  private boolean waits(String name) {
    var expected = episode.modelFeed().expected();
    return !episode
            .after()
            .where(observedObject ->
                observedObject.objectKey().name().equals(name)
                    && observedObject.marked()
                    && !expected.containsKey(observedObject.objectKey()))
            .isEmpty()
        || expected.values().stream()
            .anyMatch(modelPolicy ->
                modelPolicy.objectKey().name().equals(name)
                    && dependencyModel.conflicts(modelPolicy));
  }

  /// Whether nobody else had a hand in it since.
  private boolean asWritten(ObjectKey objectKey, ModelState.Written written) {
    var wanted = Optional.ofNullable(episode.modelFeed().expected().get(objectKey));
    var there = episode.after().get(objectKey);
    return written.removed()
        ? wanted.isEmpty() && there.isEmpty()
        : wanted.isPresent() && world.oracle().objection(wanted.get(), there).isEmpty();
  }

  private boolean told(ObjectKey objectKey, ModelState.Written written) {
    return world.statusesSince(0).stream()
        .filter(status ->
            status.source().equals(written.source())
                && status.name().equals(objectKey.name())
                && status.success())
        .anyMatch(status -> !status.at().isBefore(written.second()));
  }
}
