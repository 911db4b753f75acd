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

  /// The feed that these streams are.
  public static Feed of(List<Manifest> manifests) {
    return of(manifests, Optional.empty());
  }

  /// The same where its source has a name for it.
  public static Feed of(List<Manifest> manifests, Optional<FeedVersion> version) {
    return new Feed(manifests, Digest.ofAll(manifests), version);
  }
}
