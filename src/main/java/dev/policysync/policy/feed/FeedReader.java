package dev.policysync.policy.feed;

import dev.policysync.policy.Digest;
import org.jspecify.annotations.Nullable;

/// Parses the feed of a run. The run reads the feed again under the Lease; an unchanged feed is not
/// parsed again.
public final class FeedReader {
  private @Nullable Digest digest;
  private @Nullable ExpectedPolicies policies;

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

  private static ExpectedPolicies parse(Feed feed) {
    return PolicyReader.read(feed.manifests());
  }
}
