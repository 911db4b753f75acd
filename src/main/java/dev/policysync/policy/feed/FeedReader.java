package dev.policysync.policy.feed;

import dev.policysync.policy.Digest;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Parses the feed of a run. The run reads the feed again under the Lease; an unchanged feed is not
/// parsed again.
public final class FeedReader {
  private final Optional<String> defaultNamespace;
  private @Nullable Digest digest;
  private @Nullable ExpectedPolicies policies;

  /// Creates a reader.
  ///
  /// @param defaultNamespace the namespace of namespaced policies that name none; empty if it is
  ///   unknown, so that they are unreadable
  public FeedReader(Optional<String> defaultNamespace) {
    this.defaultNamespace = defaultNamespace;
  }

  /// Returns the policies that the feed expects.
  ///
  /// @throws FeedProblem if the feed cannot be trusted
  public ExpectedPolicies read(Feed feed) {
    var known = policies;
    if (known != null && feed.digest().equals(digest)) {
      return known;
    }
    policies = null; // two parsed feeds would take a large part of the heap
    var read = parse(feed);
    policies = read;
    digest = feed.digest();
    return read;
  }

  private ExpectedPolicies parse(Feed feed) {
    return defaultNamespace
        .map(namespace -> PolicyReader.read(feed.manifests(), namespace))
        .orElseGet(() -> PolicyReader.read(feed.manifests()));
  }
}
