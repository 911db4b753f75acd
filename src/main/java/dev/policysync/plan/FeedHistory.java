package dev.policysync.plan;

import dev.policysync.policy.Digest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The recently applied feeds. With them a run detects a feed that is older than an applied one
/// (promise 3): an API replica that lags returns an outdated feed, and applying that feed would
/// revert the changes of a newer one. A deliberate rollback also publishes an old feed, but that
/// feed stays: after ten minutes an older feed counts as intended.
///
/// Times come from the agents' clocks. A wrong clock makes the wait longer or shorter, but an older
/// feed never counts as intended before a run has recorded it.
///
/// @param source where the feeds came from; feeds of other sources are ignored
/// @param written the last applied feeds, the newest last, without duplicates
/// @param older the older feed that followed the newest of them, while that feed stays
public record FeedHistory(SourceName source, List<Written> written, Optional<Older> older) {
  /// An empty history, in which no feed is older than another.
  public static final FeedHistory NONE =
      new FeedHistory(SourceName.LOCAL, List.of(), Optional.empty());

  /// How long an older feed has to stay to count as intended.
  public static final Duration INTENDED_AFTER = Duration.ofMinutes(10);

  private static final int MOST = 8;

  public FeedHistory {
    written = List.copyOf(written.subList(Math.max(0, written.size() - MOST), written.size()));
  }

  /// A feed that a run applied.
  ///
  /// @param at when a run last began to apply the feed
  public record Written(Digest feed, Instant at) {}

  /// A feed that came back after a newer feed had been applied.
  ///
  /// @param since when a run first saw the older feed
  public record Older(Digest feed, Instant since) {
    public Instant intendedFrom() {
      return since.plus(INTENDED_AFTER);
    }
  }

  /// Returns the feed as older if it is older than the newest applied feed and does not yet count
  /// as intended.
  public Optional<Older> olderUnlessIntended(SourceName from, Digest feed, Instant now) {
    if (!from.equals(source) || !goesBack(feed)) {
      return Optional.empty();
    }
    // A time in the future, from a clock that was ahead, would make the feed wait forever.
    var noted = older.filter(it -> it.feed.equals(feed) && !it.since.isAfter(now));
    return Optional.of(noted.orElseGet(() -> new Older(feed, now)))
        .filter(it -> now.isBefore(it.intendedFrom()));
  }

  private boolean goesBack(Digest feed) {
    return newest().filter(newest -> !newest.equals(feed)).isPresent()
        && (written.stream().anyMatch(before -> before.feed.equals(feed))
            || older.filter(it -> it.feed.equals(feed)).isPresent());
  }

  private Optional<Digest> newest() {
    return written.isEmpty() ? Optional.empty() : Optional.of(written.getLast().feed);
  }

  /// Returns the history for a run that read the feed when the history was `then`. A feed that
  /// another run applied since then is newer, even if the feed that was read was never applied.
  public FeedHistory readWhen(Digest feed, FeedHistory then, Instant now) {
    return newest().equals(then.newest()) || goesBack(feed)
        ? this
        : new FeedHistory(source, written, Optional.of(new Older(feed, now)));
  }

  /// Returns the history for a run that is about to apply the feed.
  public FeedHistory beforeApplying(SourceName from, Digest feed, Instant now) {
    var all = new ArrayList<>(from.equals(source) ? written : List.of());
    all.removeIf(before -> before.feed.equals(feed));
    all.add(new Written(feed, now));
    return new FeedHistory(from, all, Optional.empty());
  }

  /// Returns the history for a run that has compared the feed and does not apply it.
  ///
  /// @param held the feed, if it was withheld because it is older
  public FeedHistory afterComparing(SourceName from, Digest feed, Optional<Older> held) {
    if (held.isPresent()) {
      return new FeedHistory(source, written, held);
    }
    // An older feed that requires no change leaves the record of the older feed unchanged.
    return from.equals(source) && goesBack(feed)
        ? this
        : new FeedHistory(source, written, Optional.empty());
  }
}
