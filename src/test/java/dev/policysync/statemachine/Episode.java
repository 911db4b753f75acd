package dev.policysync.statemachine;

import dev.policysync.sync.Mode;
import dev.policysync.yaml.Value;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A run, or several at once, and everything around it that its promises are judged by.
///
/// @param feed what the remote API said is expected
/// @param runs all with the same settings
/// @param before every object as people left it, also those that they touched meanwhile
/// @param touched what people touched meanwhile
/// @param owned how many were ours, the most there ever were meanwhile
/// @param told the statuses that the API took
/// @param began by the agents' clock
/// @param approval on the Lease as the run began
record Episode(
    Feed feed,
    List<Agents.Run> runs,
    Snapshot before,
    Set<Key> touched,
    Snapshot after,
    int owned,
    List<Mailbox.Status> told,
    Instant began,
    Optional<String> approval,
    Value.Mapping leaseBefore,
    Value.Mapping leaseAfter) {

  Conditions conditions() {
    return runs.getFirst().conditions();
  }

  boolean live() {
    return conditions().mode() == Mode.LIVE;
  }

  /// Whether what the API answered may be acted on at all.
  boolean feedIsOne() {
    return conditions().answer().isFeed();
  }

  boolean expects(Key key) {
    return feedIsOne() && feed.expected().containsKey(key);
  }

  /// The feed to the byte.
  String text() {
    return conditions().answer() == Answer.THE_FEED ? feed.text() : "";
  }

  /// A kind that the agent could not list.
  Optional<Kind> unlistable() {
    return conditions().trouble() instanceof Trouble.Unlistable(var kind, _)
        ? Optional.of(kind)
        : Optional.empty();
  }

  /// What was ours and is not there any more: only an agent can have removed it.
  List<Thing> gone() {
    return before.where(thing ->
        thing.ours()
            && after.get(thing.key()).filter(now -> now.uid().equals(thing.uid())).isEmpty());
  }

  /// What agents created.
  List<Thing> created() {
    return after.where(thing -> before.get(thing.key()).isEmpty());
  }

  /// What agents wrote and left there, as it is now.
  List<Thing> changed() {
    return after.where(thing ->
        before
            .get(thing.key())
            .filter(was -> was.uid().equals(thing.uid()) && !was.equals(thing))
            .isPresent());
  }

  /// What the feed wants gone and may go.
  List<Thing> pending() {
    return before.pending(feed);
  }

  /// Whether there was only one run and nobody and nothing else meddled with it, so that what it
  /// says can be held against what was done.
  boolean alone() {
    return runs.size() == 1 && !conditions().trouble().othersWrite();
  }
}
