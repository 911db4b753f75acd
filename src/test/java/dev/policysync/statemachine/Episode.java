package dev.policysync.statemachine;

import dev.policysync.base.Value;
import dev.policysync.sync.execution.WriteMode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A run, or several at once, and everything around it that its promises are judged by.
///
/// @param modelFeed what the remote API said is expected
/// @param runs all with the same settings
/// @param before every object as people left it, also those that they touched meanwhile
/// @param touched what people touched meanwhile
/// @param owned how many were ours, the most there ever were meanwhile
/// @param told the statuses that the API took
/// @param began by the agents' clock
/// @param approval on the Lease as the run began
/// @param kyvernoRan whether Kyverno was running; empty where somebody started or stopped it
record Episode(
    ModelFeed modelFeed,
    List<InProcessAgents.Run> runs,
    Snapshot before,
    Set<ObjectKey> touched,
    Snapshot after,
    int owned,
    List<StatusInbox.Status> told,
    Instant began,
    Optional<String> approval,
    Value.Mapping leaseBefore,
    Value.Mapping leaseAfter,
    Optional<Boolean> kyvernoRan) {

  RunConditions conditions() {
    return runs.getFirst().runConditions();
  }

  /// Whom the agents worked for.
  String source() {
    return conditions().source();
  }

  boolean live() {
    return conditions().writeMode() == WriteMode.LIVE;
  }

  /// Whether what the API answered may be acted on at all.
  boolean feedIsOne() {
    return conditions().feedResponse().isFeed();
  }

  boolean expects(ObjectKey objectKey) {
    return feedIsOne() && modelFeed.expected().containsKey(objectKey);
  }

  /// The feed to the byte.
  String text() {
    return conditions().feedResponse() == FeedResponse.THE_FEED ? modelFeed.text() : "";
  }

  /// A kind that the agent could not list.
  Optional<ModelKind> unlistable() {
    return conditions().faultInjection() instanceof FaultInjection.Unlistable(var modelKind, _)
        ? Optional.of(modelKind)
        : Optional.empty();
  }

  /// The same where that may pass: it was no matter of rights.
  Optional<ModelKind> unlistableForNow() {
    return unlistable()
        .filter(_ ->
            !(conditions().faultInjection() instanceof FaultInjection.Unlistable(_, var status))
                || status != 403);
  }

  /// What was ours and is not there any more, or only until its finalizers are removed: an agent
  /// alone can have removed it.
  List<ObservedObject> gone() {
    return before.where(observedObject -> observedObject.ours() && isRemoved(observedObject));
  }

  private boolean isRemoved(ObservedObject was) {
    return !was.terminating()
        && after
            .get(was.objectKey())
            .filter(now -> now.uid().equals(was.uid()) && !now.terminating())
            .isEmpty();
  }

  /// What agents created.
  List<ObservedObject> created() {
    return after.where(observedObject -> before.get(observedObject.objectKey()).isEmpty());
  }

  /// What agents wrote and left there, as it is now.
  List<ObservedObject> changed() {
    return after.where(observedObject ->
        before
            .get(observedObject.objectKey())
            .filter(was ->
                was.uid().equals(observedObject.uid())
                    && !was.equals(observedObject)
                    && !isRemoved(was))
            .isPresent());
  }

  /// What the feed wants gone and may go.
  List<ObservedObject> pending() {
    return before.pending(modelFeed);
  }

  /// Whether there was only one run and nobody and nothing else meddled with it, so that what it
  /// says can be held against what was done.
  boolean alone() {
    return runs.size() == 1 && !conditions().faultInjection().othersWrite();
  }
}
