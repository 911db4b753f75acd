package dev.policysync.policy.feed;

import dev.policysync.policy.Digest;
import dev.policysync.policy.Manifest;
import java.util.List;
import java.util.Optional;

/// What is expected, as it came: bytes that nobody has parsed yet.
///
/// @param digest of all the bytes, see [Digest#ofAll]
/// @param version what its source calls it, if anything
public record Feed(List<Manifest> manifests, Digest digest, Optional<FeedVersion> version) {
  public Feed {
    manifests = List.copyOf(manifests);
  }

  /// What is known of a feed without its bytes.
  public record Known(Digest digest, Optional<FeedVersion> version) {}

  /// The feed that these streams are.
  public static Feed of(List<Manifest> manifests) {
    return new Feed(manifests, Digest.ofAll(manifests), Optional.empty());
  }
}
