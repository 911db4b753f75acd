package dev.policysync.policy.feed;

import dev.policysync.policy.Digest;
import dev.policysync.policy.Manifest;
import dev.policysync.policy.Policy;
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

  /// The text that a policy of this feed was written as; none for an item of a list, and for what
  /// was made of another policy.
  public Optional<String> text(Policy policy) {
    return policy
        .excerpt()
        .flatMap(excerpt ->
            manifests.stream()
                .filter(manifest -> manifest.name().equals(policy.position().source()))
                .findFirst()
                .map(manifest -> excerpt.of(manifest.bytes())));
  }

  /// The feed that these streams are.
  public static Feed of(List<Manifest> manifests) {
    return new Feed(manifests, Digest.ofAll(manifests), Optional.empty());
  }
}
