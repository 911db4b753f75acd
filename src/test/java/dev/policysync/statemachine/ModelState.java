package dev.policysync.statemachine;

import dev.policysync.plan.Guard;
import dev.policysync.sync.ApprovalInstructions;
import dev.policysync.sync.Summary;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What the machine itself remembers from run to run, so that it can judge what the agent should.
final class ModelState {
  /// What no approval of removals is asked for.
  private static final Set<String> STAYS_ALL_THE_SAME =
      Stream.of(Guard.SUCCESSOR_STUCK, Guard.STILL_SERVES, Guard.SERVES_UNKNOWN)
          .map(Guard::toString)
          .collect(Collectors.toSet());

  private static final Duration DAY = Duration.ofHours(24);

  /// Fewer than agents remember.
  private static final int FEEDS = 5;

  private final Map<String, List<ObservedObject>> lists = new TreeMap<>();
  private final Map<ObjectKey, Written> written = new TreeMap<>();
  private final NavigableMap<Instant, Integer> removed = new TreeMap<>();
  private Optional<Instant> asked = Optional.empty();
  private Optional<Integer> measure = Optional.empty();
  private final List<String> feeds = new ArrayList<>();
  private String feedsOf = "";
  private final Set<String> tried = new HashSet<>();
  private Optional<String> listToApprove = Optional.empty();
  private boolean approvalIsOld;
  private final NavigableMap<Instant, String> sources = new TreeMap<>();
  private Optional<Instant> spoilt = Optional.empty();
  private List<ObservedObject> approvedBefore = List.of();
  private Instant approvedAt = Instant.EPOCH;

  /// What agents did to an object last.
  ///
  /// @param at when the run began that did it
  /// @param source whom it worked for
  record Written(boolean removed, Instant at, String source) {
    /// As precisely as a status says when it was.
    Instant second() {
      return at.truncatedTo(ChronoUnit.SECONDS);
    }
  }

  /// What every removal budget may be measured by at most: how many were owned when removals were
  /// withheld and have been pending since. Otherwise two runs could do what one may not.
  int measure(int owned) {
    return Math.min(owned, measure.orElse(owned));
  }

  /// How many policies agents removed in the 24 hours before that, without anybody's approval.
  int removedLately(Instant now) {
    return removed.tailMap(now.minus(DAY), false).values().stream().mapToInt(n -> n).sum();
  }

  /// Whether a feed asked for removals so lately that they may count.
  boolean askedLately(Instant now) {
    return asked.filter(at -> at.isAfter(now.minus(DAY.plusHours(1)))).isPresent();
  }

  /// The list that a person can approve now, by the agent's own words.
  Optional<String> listToApprove() {
    return listToApprove;
  }

  /// The objects of the list that goes by that digest.
  Optional<List<ObservedObject>> list(String digest) {
    return Optional.ofNullable(lists.get(digest));
  }

  boolean approvalIsOld() {
    return approvalIsOld;
  }

  void approved(boolean longAgo) {
    approvalIsOld = longAgo;
  }

  /// What agents wrote and the API was not yet found to know.
  Map<ObjectKey, Written> written() {
    return written;
  }

  /// Takes down that somebody made unreadable what runs left for each other.
  void spoilMemory(Instant at) {
    spoilt = Optional.of(at);
    forget();
  }

  private void forget() {
    measure = Optional.empty();
    written.clear();
    feeds.clear();
    tried.clear();
  }

  /// Whether agents cannot have known for a day what runs had left for them.
  boolean isSpoilt(Instant now) {
    return spoilt.filter(at -> at.isBefore(now) && now.isBefore(at.plus(DAY))).isPresent();
  }

  /// Whether that ever happened.
  boolean wasSpoilt() {
    return spoilt.isPresent();
  }

  /// Whom the run worked for that a status of that time is of; empty where it is not over yet.
  Optional<String> source(Instant status) {
    return Optional.ofNullable(sources.floorEntry(status)).map(Map.Entry::getValue);
  }

  /// Whether agents of that source wrote that feed and another one after it, lately.
  boolean goesBackTo(String feed, String source) {
    if (!source.equals(feedsOf)) {
      return false;
    }
    var lately = feeds.subList(Math.max(0, feeds.size() - FEEDS), feeds.size());
    return lately.contains(feed) && !lately.getLast().equals(feed) && !tried.contains(feed);
  }

  /// A feed counts as written where certainly a policy was; one that was only meant to be written
  /// may be the last one as well.
  private void noteFeed(Episode episode) {
    var sent =
        episode.runs().stream().flatMap(run -> run.faultyTransport().sent().stream()).toList();
    if (!episode.live() || sent.isEmpty()) {
      return;
    }
    if (!episode.source().equals(feedsOf)) {
      feedsOf = episode.source();
      feeds.clear();
      tried.clear();
    }
    tried.add(episode.text());
    if (sent.stream().anyMatch(one -> one.kind().isPresent() && one.ok())) {
      feeds.remove(episode.text());
      feeds.add(episode.text());
      tried.clear();
    }
  }

  /// Takes down what that run leaves.
  ///
  /// @param approved whether somebody consented to what it removed
  void note(Episode episode, boolean approved, DependencyModel dependencyModel) {
    var at = episode.began();
    if (approved) {
      approvedAt = at;
      approvedBefore = episode.approval().flatMap(this::list).orElse(List.of());
    } else {
      removed.merge(at, withoutApprovedBefore(episode.gone(), at).size(), Integer::sum);
    }
    var source = episode.source();
    sources.put(at.truncatedTo(ChronoUnit.SECONDS), source);
    asked = episode.live() && !episode.pending().isEmpty() ? Optional.of(at) : asked;
    episode
        .gone()
        .forEach(observedObject ->
            written.put(observedObject.objectKey(), new Written(true, at, source)));
    episode
        .created()
        .forEach(observedObject ->
            written.put(observedObject.objectKey(), new Written(false, at, source)));
    episode
        .changed()
        .forEach(observedObject ->
            written.put(observedObject.objectKey(), new Written(false, at, source)));
    noteFeed(episode);
    noteList(episode);
    noteMeasure(episode, dependencyModel);
    if (spoilt.filter(when -> !when.isBefore(at)).isPresent()) {
      forget();
    }
  }

  /// Those among them that nobody approved for an earlier run, which left them to a later one.
  List<ObservedObject> withoutApprovedBefore(List<ObservedObject> objects, Instant now) {
    return objects.stream()
        .filter(observedObject ->
            !now.isBefore(approvedAt.plus(DAY))
                || approvedBefore.stream()
                    .noneMatch(other -> other.uid().equals(observedObject.uid())))
        .toList();
  }

  private void noteList(Episode episode) {
    if (episode.alone() && episode.runs().getFirst().runEnd() instanceof RunEnd.Said(var summary)) {
      listToApprove =
          summary.pending().approval().map(ApprovalInstructions::list).map(Object::toString);
      listToApprove.ifPresent(digest -> noteList(digest, episode, summary));
    }
  }

  private void noteList(String digest, Episode episode, Summary summary) {
    var withheld =
        summary.pending().withheldNotes().stream()
            .filter(note -> STAYS_ALL_THE_SAME.stream().noneMatch(note.reason()::startsWith))
            .map(Summary.Note::policy)
            .toList();
    var list =
        episode.before().unwanted(episode.modelFeed()).stream()
            .filter(observedObject -> withheld.contains(observedObject.objectKey().toString()))
            .toList();
    var before = lists.put(digest, list);
    RunInvariants.require(
        before == null || RunInvariants.same(before, list),
        "a digest is of one list",
        before + " and " + list);
  }

  private void noteMeasure(Episode episode, DependencyModel dependencyModel) {
    if (!episode.live() || !episode.feedIsOne()) {
      return;
    }
    var certain = episode.modelFeed().complete() && episode.unlistable().isEmpty();
    if (certain
        && (dependencyModel.inQuestion(episode.before()).isEmpty()
            || dependencyModel.inQuestion(episode.after()).isEmpty())) {
      measure = Optional.empty();
    } else if (episode.runs().stream().anyMatch(ModelState::withheld)) {
      measure = Optional.of(measure(episode.owned()));
    }
  }

  /// Whether it said that it withheld removals, and could leave a note of it.
  private static boolean withheld(InProcessAgents.Run run) {
    return run.runEnd() instanceof RunEnd.Said(var summary)
        && !summary.pending().withheldNotes().isEmpty()
        && summary.warnings().stream().noneMatch(warning -> warning.contains("not be noted"));
  }
}
