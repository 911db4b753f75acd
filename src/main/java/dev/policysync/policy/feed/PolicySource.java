package dev.policysync.policy.feed;

import dev.policysync.policy.Manifest;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// Where the expected policies come from: the remote API, files, or standard input.
public interface PolicySource {
  /// Reads everything there is, complete or not at all. A run that writes reads again under the
  /// Lease, so what can be read only once has to be remembered.
  ///
  /// @throws FeedProblem if what came back cannot be trusted; nothing may be written then
  List<Manifest> read();

  /// The same as a feed.
  ///
  /// @throws FeedProblem like [#read()]
  default Feed feed() {
    return Feed.of(read());
  }

  /// The same, unless it turns out to be one that is known: by its version, or by its digest where
  /// there is more of it than should be kept without need.
  ///
  /// @param known asked for once the source can be told, so that it may be found out meanwhile
  /// @return empty if it is that one
  /// @throws FeedProblem like [#read()]
  default Optional<Feed> feedUnless(Supplier<Optional<Feed.Known>> known) {
    return Optional.of(feed());
  }
}
