package dev.policysync.plan;

import dev.policysync.policy.Digest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Which feeds runs wrote lately, so that one that goes back in time is noticed (promise 3): an API
/// replica that lags answers with a feed that was right an hour ago, and to write it would revert
/// what a newer one brought. Somebody who rolls back on purpose publishes the same old feed, but it
/// stays: after ten minutes it is taken as meant.
///
/// Times are those of the agents' clocks. A clock that is off makes the wait longer or shorter, but
/// no run takes an older feed as meant that no run before it has noted.
///
/// @param source whose feeds they are; another source's tell nothing
/// @param written the last feeds that were written, the newest last, no two the same
/// @param older the older feed that came back after the newest of them, while it stays
public record FeedHistory(SourceName source, List<Written> written, Optional<Older> older) {
  /// Nothing is known, so no feed is older than another.
  public static final FeedHistory NONE =
      new FeedHistory(SourceName.LOCAL, List.of(), Optional.empty());

  /// How long an older feed has to stay to be taken as meant.
  public static final Duration MEANT_AFTER = Duration.ofMinutes(10);

  private static final int MOST = 8;

  public FeedHistory {
    written = List.copyOf(written.subList(Math.max(0, written.size() - MOST), written.size()));
  }

  /// A feed that a run wrote.
  ///
  /// @param at when that began last
  public record Written(Digest feed, Instant at) {}

  /// A feed that came back after a newer one had been written.
  ///
  /// @param since when a run saw so first
  public record Older(Digest feed, Instant since) {
    /// From when on it is taken as meant.
    public Instant meantFrom() {
      return since.plus(MEANT_AFTER);
    }
  }

  /// Whether that feed is older than the newest that was written, and not yet taken as meant.
  public Optional<Older> wentBack(SourceName from, Digest feed, Instant now) {
    if (!from.equals(source) || !goesBack(feed)) {
      return Optional.empty();
    }
    // A clock that was ahead would make it wait for ever.
    var noted = older.filter(it -> it.feed.equals(feed) && !it.since.isAfter(now));
    return Optional.of(noted.orElseGet(() -> new Older(feed, now)))
        .filter(it -> now.isBefore(it.meantFrom()));
  }

  private boolean goesBack(Digest feed) {
    return newest().filter(newest -> !newest.equals(feed)).isPresent()
        && (written.stream().anyMatch(before -> before.feed.equals(feed))
            || older.filter(it -> it.feed.equals(feed)).isPresent());
  }

  private Optional<Digest> newest() {
    return written.isEmpty() ? Optional.empty() : Optional.of(written.getLast().feed);
  }

  /// The same for a run that had read that feed when only so much was known: what another one has
  /// written since is newer, even if the feed is one that nobody ever wrote.
  public FeedHistory read(Digest feed, FeedHistory then, Instant now) {
    return newest().equals(then.newest()) || goesBack(feed)
        ? this
        : new FeedHistory(source, written, Optional.of(new Older(feed, now)));
  }

  /// The same when that feed is about to be written.
  public FeedHistory writing(SourceName from, Digest feed, Instant now) {
    var all = new ArrayList<>(from.equals(source) ? written : List.of());
    all.removeIf(before -> before.feed.equals(feed));
    all.add(new Written(feed, now));
    return new FeedHistory(from, all, Optional.empty());
  }

  /// The same when a run has looked at the feed and does not write it.
  ///
  /// @param held the feed, if it was held back because it is older
  public FeedHistory looking(SourceName from, Digest feed, Optional<Older> held) {
    if (held.isPresent()) {
      return new FeedHistory(source, written, held);
    }
    // While it asks for nothing, an older feed does not begin to be one, nor does it cease to.
    return from.equals(source) && goesBack(feed)
        ? this
        : new FeedHistory(source, written, Optional.empty());
  }
}
