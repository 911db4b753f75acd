package dev.policysync.policy.feed;

import dev.policysync.policy.Manifest;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// The source of the expected policies: the remote API, files, or standard input.
public interface PolicySource {
  /// Reads all manifests, completely or not at all. A run that writes reads again under the Lease,
  /// so a source that can be read only once has to remember the manifests.
  ///
  /// @throws FeedProblem if the result cannot be trusted; nothing may be written then
  List<Manifest> read();

  /// Reads all manifests as a feed.
  ///
  /// @throws FeedProblem like [#read()]
  default Feed feed() {
    return Feed.of(read());
  }

  /// Reads the feed unless it is the known one. A source recognizes the known feed by its version,
  /// or by its digest if the feed is too large to keep for a comparison.
  ///
  /// @param known called only once the source needs the known feed, so that it can be loaded
  ///   meanwhile
  /// @return the feed; empty if it is the known one
  /// @throws FeedProblem like [#read()]
  default Optional<Feed> feedUnless(Supplier<Optional<Feed.Known>> known) {
    return Optional.of(feed());
  }
}
