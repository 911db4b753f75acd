package dev.policysync.policy.feed;

import dev.policysync.policy.Digest;
import dev.policysync.policy.Manifest;
import dev.policysync.policy.Policy;
import java.util.List;
import java.util.Optional;

/// The expected policies as received: bytes that are not parsed yet.
///
/// @param digest the digest of all bytes, see [Digest#ofAll]
/// @param version the version that the source gave the feed, if any
public record Feed(List<Manifest> manifests, Digest digest, Optional<FeedVersion> version) {
  public Feed {
    manifests = List.copyOf(manifests);
  }

  /// The digest and version of an earlier feed, without its bytes.
  public record Known(Digest digest, Optional<FeedVersion> version) {}

  /// Returns the text in the feed from which a policy was read. Empty for an item of a list, and
  /// for a policy that was made from another policy.
  public Optional<String> text(Policy policy) {
    return policy
        .excerpt()
        .flatMap(excerpt ->
            manifests.stream()
                .filter(manifest -> manifest.name().equals(policy.position().source()))
                .findFirst()
                .map(manifest -> excerpt.textIn(manifest.bytes())));
  }

  public static Feed of(List<Manifest> manifests) {
    return new Feed(manifests, Digest.ofAll(manifests), Optional.empty());
  }
}
