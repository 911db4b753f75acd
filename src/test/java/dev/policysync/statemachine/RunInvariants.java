package dev.policysync.statemachine;

import dev.policysync.base.Value;
import dev.policysync.plan.Adoption;
import dev.policysync.sync.Summary;
import dev.policysync.sync.execution.StopReason;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/// The promises that hold after every run, whatever happened to it. Each is a method.
final class RunInvariants {
  private final Episode episode;
  private final ModelState modelState;
  private final Oracle oracle;

  RunInvariants(Episode episode, ModelState modelState, Oracle oracle) {
    this.episode = episode;
    this.modelState = modelState;
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
    removesNothingForADayWhereItsMemoryWasSpoilt();
    usesAnApprovalOnce();
    keepsWhatASuccessorIsToReplace();
    removesNothingWhileSomethingFailsForNow();
    appliesAndRemovesInTheSafeOrder();
    writesNothingAfterItsLeaseRanOut();
    saysWhatItDid();
    hasEverythingInForceWhenItSaysSo();
    saysWhetherKyvernoIsRunning();
    tellsTheApiTheTruth();
    tellsEachSourceItsOwn();
    tellsNothingOfWhatItCouldNotList();
    writesNoOlderFeedAtOnce();
    writesOneAfterTheOther();
    sendsNothingTwiceWithoutLooking();
    goesOnWhereOneIsRefused();
    new DependencyModel(episode, oracle).hold();
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
          run.runEnd() instanceof RunEnd.Said(var summary)
              && summary.status() == Summary.RunStatus.FAILED,
          "a bad feed is a failure",
          run);
    }
  }

  private void neverTouchesWhatIsNotOwned() {
    for (var observedObject : episode.before().where(one -> !one.ours())) {
      var now = episode.after().get(observedObject.objectKey());
      require(
          now.equals(Optional.of(observedObject))
              || now.filter(it -> adopted(observedObject, it)).isPresent(),
          "never touches what is not owned",
          difference(observedObject, now));
    }
  }

  private boolean adopted(ObservedObject was, ObservedObject now) {
    var possible =
        episode.live()
            && episode.expects(was.objectKey())
            && was.uid().equals(now.uid())
            && !was.terminating()
            && !was.paused();
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

  private static boolean sameButForMarks(ObservedObject was, ObservedObject now) {
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
        ObservedObject.OWNED_BY,
        ObservedObject.APPLIED,
        ObservedObject.SOURCE_MARK,
        ObservedObject.MANAGED,
        ClusterUsers.LAST_APPLIED);
  }

  private void createsOnlyWhatIsExpected() {
    for (var observedObject : episode.created()) {
      require(
          episode.expects(observedObject.objectKey()) && episode.live() && observedObject.ours(),
          "creates only what is expected",
          observedObject);
    }
  }

  private void changesOnlyWhatIsExpected() {
    for (var observedObject : episode.changed()) {
      var was = episode.before().get(observedObject.objectKey()).orElseThrow();
      require(
          episode.expects(observedObject.objectKey())
              && episode.live()
              && !was.terminating()
              && !was.paused(),
          "changes only what is expected",
          difference(was, Optional.of(observedObject)));
      require(
          !episode.unlistable().equals(Optional.of(observedObject.objectKey().modelKind())),
          "touches nothing of a kind that it cannot list",
          observedObject);
    }
  }

  private void removesOnlyWhatMayGo() {
    var gone = episode.gone();
    for (var observedObject : gone) {
      require(observedObject.removable(), "removes nothing that is to be kept", observedObject);
      require(
          !episode.expects(observedObject.objectKey()),
          "removes nothing that is expected",
          observedObject);
    }
    require(
        gone.isEmpty() || (episode.live() && episode.feedIsOne() && episode.modelFeed().complete()),
        "removes nothing by a feed that is not sound",
        gone);
    require(
        gone.isEmpty() || episode.unlistable().isEmpty(),
        "removes nothing while a kind cannot be listed",
        gone);
  }

  private void neverRemovesOverBudget() {
    var gone = modelState.withoutApprovedBefore(episode.gone(), episode.began());
    if (gone.isEmpty() || approved()) {
      return;
    }
    require(!episode.modelFeed().empty(), "an empty feed removes nothing", gone);
    var pending = modelState.withoutApprovedBefore(inQuestion(), episode.began()).size();
    require(
        allows(Math.max(gone.size(), pending)),
        "never removes over budget",
        gone
            + " of "
            + pending
            + " pending, by "
            + episode.conditions().expectedRemovalBudget()
            + " of "
            + modelState.measure(episode.owned())
            + ", after "
            + modelState.removedLately(episode.began())
            + " on that day");
  }

  private void removesNothingForADayWhereItsMemoryWasSpoilt() {
    require(
        episode.gone().isEmpty() || approved() || !modelState.isSpoilt(episode.began()),
        "removes nothing for a day where it cannot read what earlier runs removed",
        episode.gone());
  }

  private boolean allows(int removals) {
    var lately = modelState.removedLately(episode.began());
    return episode
        .conditions()
        .expectedRemovalBudget()
        .permits(removals + lately, modelState.measure(episode.owned()) + lately);
  }

  /// The removals that the run had to ask for. Policies that somebody changed during the run are
  /// not among them: the run planned with one as paused that is no longer paused now.
  private List<ObservedObject> inQuestion() {
    return new DependencyModel(episode, oracle)
        .inQuestion(episode.before()).stream().filter(this::untouched).toList();
  }

  /// Whether somebody consented to precisely these removals, lately.
  boolean approved() {
    return episode
        .approval()
        .filter(_ -> !modelState.approvalIsOld())
        .flatMap(modelState::list)
        .filter(list -> within(episode.gone(), list))
        .filter(list -> within(inQuestion(), list))
        .filter(list -> within(list, episode.before().unwanted(episode.modelFeed())))
        .isPresent();
  }

  static boolean same(List<ObservedObject> some, List<ObservedObject> others) {
    return within(some, others) && within(others, some);
  }

  /// By the very objects, not by their names.
  private static boolean within(List<ObservedObject> some, List<ObservedObject> others) {
    return some.stream()
        .allMatch(observedObject ->
            others.stream().anyMatch(other -> other.uid().equals(observedObject.uid())));
  }

  private void usesAnApprovalOnce() {
    var gone = modelState.withoutApprovedBefore(episode.gone(), episode.began());
    var needed = !gone.isEmpty() && (episode.modelFeed().empty() || !allows(gone.size()));
    var left = episode.leaseAfter().mapping("metadata").mapping("annotations").text(Lease.APPROVAL);
    require(!needed || left.isEmpty(), "uses an approval once", left);
  }

  private void keepsWhatASuccessorIsToReplace() {
    for (var observedObject : episode.gone()) {
      for (var modelPolicy : episode.modelFeed().expected().values()) {
        if (modelPolicy.objectKey().isToReplace(observedObject.objectKey())
            && untouched(modelPolicy.objectKey())) {
          require(
              objection(modelPolicy).isEmpty(),
              "removes nothing before its successor is in force",
              observedObject + " before " + modelPolicy + ": " + objection(modelPolicy).orElse(""));
        }
      }
    }
  }

  private void removesNothingWhileSomethingFailsForNow() {
    for (var run : episode.runs()) {
      var failing = new TreeSet<String>();
      for (var sent : run.faultyTransport().sent()) {
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
  private boolean isFoundToBeDone(FaultyTransport.Sent sent) {
    return sent.status() == FaultyTransport.LOST
        && ObjectKey.at(sent.path())
            .map(objectKey -> episode.modelFeed().expected().get(objectKey))
            .filter(modelPolicy -> objection(modelPolicy).isEmpty())
            .isPresent();
  }

  private void appliesAndRemovesInTheSafeOrder() {
    for (var run : episode.runs()) {
      var stage = 0;
      for (var sent : run.faultyTransport().sent()) {
        var next = sent.kind().map(modelKind -> stage(modelKind, sent.removal())).orElse(stage);
        require(
            next >= stage,
            "global context and exceptions are applied before policies and removed after them",
            run.faultyTransport().sent());
        stage = next;
      }
    }
  }

  private static int stage(ModelKind modelKind, boolean removal) {
    var step =
        switch (modelKind.role()) {
          case CONTEXT -> 1;
          case EXCEPTION -> 2;
          case POLICY -> 3;
        };
    return removal ? 10 - step : step;
  }

  private void writesNothingAfterItsLeaseRanOut() {
    for (var run : episode.runs()) {
      var frozen = run.faultyTransport().frozenAt();
      if (frozen == 0) {
        continue;
      }
      var after =
          run.faultyTransport().sent().stream()
              .skip(frozen)
              .filter(sent -> sent.kind().isPresent())
              .toList();
      require(after.isEmpty(), "writes nothing after its Lease ran out", after);
    }
  }

  private void saysWhatItDid() {
    for (var run : episode.runs()) {
      if (run.runEnd() instanceof RunEnd.Said(var summary) && summary.skipped().isPresent()) {
        // Since when an approval is there even a run without the Lease notes on it.
        require(
            run.faultyTransport().sent().stream()
                .filter(FaultyTransport.Sent::ok)
                .allMatch(sent -> sent.kind().isEmpty() && episode.approval().isPresent()),
            "a skipped run writes nothing",
            run);
      }
    }
    if (!episode.alone()
        || !(episode.runs().getFirst().runEnd() instanceof RunEnd.Said(var summary))
        || !episode.live()) {
      return;
    }
    var failed = summary.writes().failed().stream().flatMap(one -> one.label().stream()).toList();
    var waiting = summary.untouched().terminating().stream().map(Summary.Note::policy).toList();
    var notAttempted = summary.writes().notAttempted().stream().map(Summary.Note::policy).toList();
    for (var change : summary.writes().removed()) {
      require(
          episode.gone().stream()
              .anyMatch(observedObject -> observedObject.objectKey().is(change.policy())),
          "says only what it did",
          change + " is not gone");
    }
    for (var observedObject : episode.gone()) {
      require(
          summary.writes().removed().stream()
                  .anyMatch(one -> observedObject.objectKey().is(one.policy()))
              || failed.contains(observedObject.objectKey().toString())
              || waiting.contains(observedObject.objectKey().toString()),
          "says all that it did",
          observedObject + " is gone");
    }
    var writes =
        Stream.concat(summary.writes().applied().stream(), summary.writes().updated().stream())
            .toList();
    for (var observedObject : both(episode.created(), episode.changed())) {
      require(
          writes.stream().anyMatch(one -> observedObject.objectKey().is(one.policy()))
              || failed.contains(observedObject.objectKey().toString())
              || notAttempted.contains(observedObject.objectKey().toString()),
          "says all that it did",
          observedObject + " was written");
    }
    for (var modelPolicy : episode.modelFeed().expected().values()) {
      if (writes.stream().anyMatch(one -> modelPolicy.objectKey().is(one.policy()))) {
        require(
            objection(modelPolicy).isEmpty(),
            "what was applied is in force",
            modelPolicy + ": " + objection(modelPolicy).orElse(""));
      }
    }
    for (var note : summary.pending().withheldNotes()) {
      var expected = episode.modelFeed().expected().keySet().stream().filter(this::asBefore);
      var removals =
          episode.before().unwanted(episode.modelFeed()).stream().map(ObservedObject::objectKey);
      require(
          Stream.concat(expected, removals.filter(this::asBefore))
              .anyMatch(objectKey -> objectKey.toString().equals(note.policy())),
          "what was withheld is as it was",
          note);
    }
  }

  private boolean asBefore(ObjectKey objectKey) {
    return episode.after().get(objectKey).equals(episode.before().get(objectKey));
  }

  private void hasEverythingInForceWhenItSaysSo() {
    for (var run : episode.runs()) {
      if (episode.live()
          && run.runEnd() instanceof RunEnd.Said(var summary)
          && summary.status() == Summary.RunStatus.DONE
          && summary.skipped().isEmpty()
          && !wentByTheFeedBefore(run)) {
        for (var modelPolicy : episode.modelFeed().expected().values()) {
          require(
              !untouched(modelPolicy.objectKey())
                  || isPaused(modelPolicy)
                  || objection(modelPolicy).isEmpty(),
              "a run that succeeded has everything in force",
              modelPolicy + ": " + objection(modelPolicy).orElse(""));
        }
      }
    }
  }

  /// Where a fault kept it from asking, it says that it does not know.
  private void saysWhetherKyvernoIsRunning() {
    for (var run : episode.runs()) {
      if (run.runEnd() instanceof RunEnd.Said(var summary)
          && summary.feed().isPresent()
          && summary.skipped().isEmpty()
          && summary.warnings().stream().noneMatch(RunInvariants::isUnknown)) {
        if (episode.kyvernoRan().equals(Optional.of(true))) {
          require(
              summary.untouched().notInForce().isEmpty(),
              "all is in force while Kyverno runs",
              summary);
        }
        if (episode.kyvernoRan().equals(Optional.of(false))
            && summary.status() == Summary.RunStatus.DONE) {
          for (var modelPolicy : episode.modelFeed().expected().values()) {
            require(
                modelPolicy.objectKey().modelKind().role() != ModelKind.Role.POLICY
                    || isPaused(modelPolicy)
                    || !untouched(modelPolicy.objectKey())
                    || wentByTheFeedBefore(run),
                "no run succeeds while Kyverno does not run",
                modelPolicy);
          }
        }
      }
    }
  }

  private static boolean isUnknown(String warning) {
    return warning.startsWith("whether Kyverno is running is unknown");
  }

  /// Whether a run found nothing to do before the feed changed, and only noted what it saw, once or
  /// again after the other run's note.
  private static boolean wentByTheFeedBefore(InProcessAgents.Run run) {
    return run.runConditions().faultInjection() instanceof FaultInjection.Overtaken
        && run.faultyTransport().sent().size() <= 2;
  }

  /// What is told again is of an earlier run, and true of that time.
  private void tellsTheApiTheTruth() {
    for (var status : episode.told()) {
      var second = episode.began().truncatedTo(java.time.temporal.ChronoUnit.SECONDS);
      if (!status.success() || status.at().isBefore(second)) {
        continue;
      }
      var name = status.name();
      if (episode.touched().stream().anyMatch(objectKey -> objectKey.name().equals(name))) {
        continue;
      }
      var inForce =
          episode.modelFeed().expected().values().stream()
              .filter(modelPolicy -> modelPolicy.objectKey().name().equals(name))
              .anyMatch(modelPolicy -> objection(modelPolicy).isEmpty());
      require(
          status.applied() ? inForce : left(name).isEmpty(),
          "tells the API the truth",
          status + " of " + left(name));
    }
  }

  /// What was there under that name, with our mark, and still is: whether it is to be removed or
  /// kept, waits for a finalizer or belongs to another source.
  private List<ObservedObject> left(String name) {
    return episode
        .before()
        .where(observedObject ->
            observedObject.objectKey().name().equals(name)
                && observedObject.marked()
                && episode
                    .after()
                    .get(observedObject.objectKey())
                    .filter(now -> now.uid().equals(observedObject.uid()) && now.marked())
                    .isPresent());
  }

  /// What one source's API did not take is not told to another's.
  private void tellsEachSourceItsOwn() {
    var second = episode.began().truncatedTo(java.time.temporal.ChronoUnit.SECONDS);
    for (var status : episode.told()) {
      require(
          !status.at().isBefore(second)
              || modelState.source(status.at()).equals(Optional.of(status.source())),
          "tells each source its own",
          status);
    }
  }

  /// Where the list of a kind fails for the moment, none of its policies was tried.
  private void tellsNothingOfWhatItCouldNotList() {
    var second = episode.began().truncatedTo(java.time.temporal.ChronoUnit.SECONDS);
    for (var modelKind : episode.unlistableForNow().stream().toList()) {
      var tried = new TreeSet<String>();
      Stream.concat(
              episode.modelFeed().expected().keySet().stream(),
              episode.before().where(ObservedObject::ours).stream().map(ObservedObject::objectKey))
          .filter(objectKey -> objectKey.modelKind() != modelKind)
          .forEach(objectKey -> tried.add(objectKey.name()));
      for (var status : episode.told()) {
        require(
            status.success()
                || status.at().isBefore(second)
                || tried.contains(status.name())
                || !episode.modelFeed().complete(),
            "tells the API nothing of policies that it did not try",
            status);
      }
    }
  }

  /// Of several that a feed goes back to, that it is one that agents wrote before they wrote
  /// another is certain; the first run that meets it then leaves it alone.
  private void writesNoOlderFeedAtOnce() {
    var writes = sent().stream().filter(sent -> sent.kind().isPresent()).toList();
    require(
        writes.isEmpty()
            || !episode.live()
            || !modelState.goesBackTo(episode.text(), episode.source()),
        "writes no older feed at once",
        writes);
  }

  /// A run that stood still is judged for itself.
  private void writesOneAfterTheOther() {
    for (var one : episode.runs()) {
      for (var other : episode.runs()) {
        require(
            one.equals(other)
                || one.faultyTransport().frozenAt() > 0
                || other.faultyTransport().frozenAt() > 0
                || end(one) < begin(other)
                || end(other) < begin(one),
            "one writes after the other",
            one.faultyTransport().sent() + " and " + other.faultyTransport().sent());
      }
    }
  }

  private static int begin(InProcessAgents.Run run) {
    return writes(run).mapToInt(FaultyTransport.Sent::begun).min().orElse(Integer.MAX_VALUE);
  }

  private static int end(InProcessAgents.Run run) {
    return writes(run).mapToInt(FaultyTransport.Sent::ended).max().orElse(Integer.MIN_VALUE);
  }

  private static Stream<FaultyTransport.Sent> writes(InProcessAgents.Run run) {
    return run.faultyTransport().sent().stream().filter(sent -> sent.kind().isPresent());
  }

  private void sendsNothingTwiceWithoutLooking() {
    for (var run : episode.runs()) {
      var blind = run.faultyTransport().blind();
      require(
          blind.isEmpty(), "sends nothing again of which nobody knows whether it was done", blind);
    }
  }

  /// Where nothing is in the way, all that can be in force is, whatever else is wrong in the feed.
  private void goesOnWhereOneIsRefused() {
    if (!episode.live()
        || !episode.feedIsOne()
        || !(episode.conditions().faultInjection() instanceof FaultInjection.None)
        || !(episode.runs().getFirst().runEnd() instanceof RunEnd.Said(var summary))
        || summary.skipped().isPresent()) {
      return;
    }
    for (var modelPolicy : episode.modelFeed().expected().values()) {
      var policy = modelPolicy.objectKey().toString();
      var reasonable =
          !modelPolicy.acceptable()
              || isPaused(modelPolicy)
              || Stream.of(
                      summary.pending().withheldNotes(),
                      summary.untouched().conflicts(),
                      summary.pending().waiting())
                  .flatMap(List::stream)
                  .anyMatch(note -> note.policy().equals(policy))
              || summary.writes().notAttempted().stream()
                  .anyMatch(note ->
                      note.policy().equals(policy)
                          && note.reason().equals(StopReason.UNSHIELDED.toString()))
              || episode
                  .before()
                  .get(modelPolicy.objectKey())
                  .filter(ObservedObject::terminating)
                  .isPresent();
      require(
          reasonable || objection(modelPolicy).isEmpty(),
          "one that is refused stops no other",
          modelPolicy + ": " + objection(modelPolicy).orElse(""));
    }
  }

  private boolean isPaused(ModelPolicy modelPolicy) {
    return episode.before().get(modelPolicy.objectKey()).filter(ObservedObject::paused).isPresent();
  }

  private boolean untouched(ObservedObject observedObject) {
    return untouched(observedObject.objectKey());
  }

  private boolean untouched(ObjectKey objectKey) {
    return !episode.touched().contains(objectKey);
  }

  private Optional<String> objection(ModelPolicy modelPolicy) {
    return modelPolicy.acceptable()
        ? oracle.objection(modelPolicy, episode.after().get(modelPolicy.objectKey()))
        : Optional.of("the API server cannot have taken it");
  }

  private List<FaultyTransport.Sent> sent() {
    return episode.runs().stream().flatMap(run -> run.faultyTransport().sent().stream()).toList();
  }

  private static <T> List<T> both(List<T> some, List<T> others) {
    var all = new ArrayList<>(some);
    all.addAll(others);
    return all;
  }

  private static String difference(ObservedObject was, Optional<ObservedObject> now) {
    return was
        + "\n  before: "
        + was.object()
        + "\n  after:  "
        + now.map(ObservedObject::object).map(Value.Mapping::toString).orElse("gone");
  }

  static void require(boolean kept, String promise, Object what) {
    if (!kept) {
      throw new Broken(promise, what);
    }
  }
}
