package dev.policysync.policy.feed;

import dev.policysync.policy.Digest;
import dev.policysync.policy.Manifest;
import java.util.List;

/// What is expected, as it came: bytes that nobody has parsed yet.
///
/// @param digest of all the bytes, see [Digest#ofAll]
public record Feed(List<Manifest> manifests, Digest digest) {
  public Feed {
    manifests = List.copyOf(manifests);
  }

  /// The feed that these streams are.
  public static Feed of(List<Manifest> manifests) {
    return new Feed(manifests, Digest.ofAll(manifests));
  }
}
